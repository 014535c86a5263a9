import { computed, effect, signal } from '@preact/signals';
import { clock } from './store.ts';
import { elapsed, every } from '../browser/timers.ts';

const TICK_MS = 500;
const tick = signal(elapsed());
every(TICK_MS, () => {
  tick.value = elapsed();
});

/** When the clock that is held was read, in real time. */
const readAt = signal(elapsed());
effect(() => {
  if (clock.value.value !== null) readAt.value = elapsed();
});

/** Sandbox time in milliseconds, running along between two readings of the clock. Null until it was read. */
export const sandboxNow = computed(() => {
  const read = clock.value.value;
  if (read === null) return null;
  const then = Date.parse(read.now);
  return read.mode === 'frozen' ? then : then + Math.max(tick.value - readAt.value, 0);
});
