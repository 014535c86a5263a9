import { computed, effect, signal } from '@preact/signals';
import { elapsed, every } from '../browser/timers.ts';
import { clock } from './store.ts';

const TICK_MS = 500;
const tick = signal(elapsed());
every(TICK_MS, () => {
  tick.value = elapsed();
});

/** Real time at which the clock was last read. */
const readAt = signal(elapsed());
effect(() => {
  if (clock.data.value !== null) readAt.value = elapsed();
});

/** Sandbox time in milliseconds, which advances between two reads of the clock. Null until the first read. */
export const sandboxNow = computed(() => {
  const state = clock.data.value;
  if (state === null) return null;
  const now = Date.parse(state.now);
  return state.mode === 'frozen' ? now : now + Math.max(tick.value - readAt.value, 0);
});
