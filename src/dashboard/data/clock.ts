import { computed, effect, signal } from '@preact/signals';
import { every, monotonicNow } from '../browser.ts';
import { withToast } from './actions.ts';
import { control } from './http.ts';
import type { Clock } from './response-types.ts';
import { clock, info, loadAll } from './store.ts';

const TICK_MS = 500;
const MINUTE_MS = 60_000;
/** The delays before the automatic retries of a webhook (interface section 6.4), in minutes. */
const RETRY_MINUTES = [1, 5, 30, 120, 1_440] as const;
/** The checkpoint that is saved before the clock advances. */
const BEFORE_ADVANCE = 'before-advance';
/** The checkpoint that is saved before an advance is undone. */
const BEFORE_UNDO = 'before-undo';

const tick = signal(monotonicNow());
every(TICK_MS, () => {
  tick.value = monotonicNow();
});

/** Real time at which the clock was last read. */
const readAt = signal(monotonicNow());
effect(() => {
  if (clock.data.value !== null) readAt.value = monotonicNow();
});

/** Sandbox time in milliseconds, which advances between two reads of the clock. Null until the first read. */
export const sandboxNow = computed(() => {
  const state = clock.data.value;
  if (state === null) return null;
  const now = Date.parse(state.now);
  return state.mode === 'frozen' ? now : now + Math.max(tick.value - readAt.value, 0);
});

/** The delays before the automatic retries at the retry speed of this sandbox, in milliseconds. */
export const retryDelays = computed(() => {
  const speed = Number(info.data.value?.options.retrySpeed ?? 1);
  return RETRY_MINUTES.map(minutes => (minutes * MINUTE_MS) / speed);
});

/** Advances the clock and waits until everything that falls due has run. `label` is the duration as people read it. */
export function advance(duration: string, label = duration): Promise<void> {
  return withToast(`Clock advanced by ${label}`, () => advanceUndoably(async () => duration));
}

/** Advances the clock to a later time, ISO 8601, and waits until everything that falls due has run. */
export function advanceTo(at: string): Promise<void> {
  return withToast(`Clock advanced to ${at}`, () =>
    advanceUndoably(async () => {
      const { now } = await control<Clock>('GET', '/clock');
      return `${Math.max(Date.parse(at) - Date.parse(now), 0)}ms`;
    }),
  );
}

export function toggleClock(): Promise<void> {
  const isFrozen = clock.data.value?.mode === 'frozen';
  return withToast(isFrozen ? 'Clock running' : 'Clock frozen', () =>
    moveClock(isFrozen ? 'resume' : 'freeze', {}),
  );
}

/** The last advance from this page: sandbox times in milliseconds. */
const lastAdvance = signal<{ readonly from: number; readonly to: number } | null>(null);

/** Sandbox time to which an undo goes back; null when no advance can be undone. */
export const undoTime = computed(() => {
  const last = lastAdvance.value;
  return last !== null && (sandboxNow.value ?? 0) >= last.to ? last.from : null;
});

/** Goes back to the state before the last advance. What has happened since is kept as the checkpoint `before-undo`. */
export async function undoAdvance(): Promise<void> {
  await control('POST', `/checkpoints/${BEFORE_UNDO}`);
  await control('POST', `/checkpoints/${BEFORE_ADVANCE}/restore`);
  lastAdvance.value = null;
  await loadAll();
}

/** Advances the clock by a duration, which is asked for after a checkpoint has been saved. */
async function advanceUndoably(durationOf: () => Promise<string>): Promise<void> {
  const saved = await control<{ readonly createdAt: string }>('POST', `/checkpoints/${BEFORE_ADVANCE}`);
  const { now } = await moveClock('advance', { duration: await durationOf() });
  lastAdvance.value = { from: Date.parse(saved.createdAt), to: Date.parse(now) };
}

async function moveClock(move: string, body: unknown): Promise<Clock> {
  const moved = await control<Clock>('POST', `/clock/${move}`, body);
  clock.set(moved);
  // Timers may have been added since the sandbox sent the response, and a read that has them is overtaken by it.
  void clock.load();
  return moved;
}
