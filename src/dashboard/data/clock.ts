import { computed, effect, signal } from '@preact/signals';
import { every, monotonicNow } from '../browser.ts';
import { dateTime } from '../ui/format.ts';
import { withToast } from './actions.ts';
import { control, read } from './http.ts';
import type { Clock, ClockWithTimers, Timer } from './response-types.ts';
import { clock, controlCalls, info, loadAll } from './store.ts';

const TICK_MS = 500;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The delays before the automatic retries of a webhook (interface section 6.4), in minutes. */
const RETRY_MINUTES = [1, 5, 30, 120, 1_440] as const;
/** The path of an advance in the history, and those of the calls that begin another line of time. */
const ADVANCE = '/_sandbox/clock/advance';
const NEW_TIME = /^\/_sandbox\/(reset|state|checkpoints\/[^/]+\/restore)$/;

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

/** The delays between webhook attempts, which users most often wait for, and a day, in ms: the order of buttons and keys. */
export const advanceSteps = computed(() => {
  const speed = Number(info.data.value?.options.retrySpeed ?? 1);
  const delays = RETRY_MINUTES.map(minutes => (minutes * MINUTE_MS) / speed);
  return delays.some(ms => ms >= DAY_MS) ? delays : [...delays, DAY_MS];
});

export async function readTimers(count: number): Promise<readonly Timer[]> {
  return (await read<ClockWithTimers>(`/clock?timers=${count}`)).timers ?? [];
}

/** Advances the clock and waits until everything that falls due has run. `label` is the duration as people read it. */
export function advance(by: string, label: string): Promise<void> {
  return withToast(`Clock advanced by ${label}`, () => moveClock('advance', { duration: by }));
}

/** Advances the clock to a later time, ISO 8601, and waits until everything that falls due has run. */
export function advanceTo(at: string): Promise<void> {
  return withToast(`Clock advanced to ${dateTime(at)}`, async () => {
    const { now } = await control<Clock>('GET', '/clock');
    await moveClock('advance', { duration: `${Math.max(Date.parse(at) - Date.parse(now), 0)}ms` });
  });
}

export function toggleClock(): Promise<void> {
  const isFrozen = clock.data.value?.mode === 'frozen';
  return withToast(isFrozen ? 'Clock running' : 'Clock frozen', () =>
    moveClock(isFrozen ? 'resume' : 'freeze', {}),
  );
}

/** The entry of the last advance in the history, by whomever; null when there is none that an undo can go back to. */
export const lastAdvance = computed(() => {
  const calls = controlCalls.data.value?.filter(({ status }) => status < 400) ?? [];
  const newest = calls.find(({ path }) => path === ADVANCE || NEW_TIME.test(path));
  return newest?.path === ADVANCE ? newest : null;
});

/** Goes back to the state before the last advance. The state before the undo is kept as the checkpoint `before-rewind`. */
export function undoAdvance(): Promise<void> {
  return withToast('Advance undone. What it undid is kept as before-rewind.', async () => {
    await control('POST', '/rewind', { to: lastAdvance.value?.id });
    await loadAll();
  });
}

async function moveClock(move: string, body: unknown): Promise<void> {
  clock.set(await control<Clock>('POST', `/clock/${move}`, body));
  // Timers may have been added since the sandbox sent the response, and a read that has them is overtaken by it.
  void clock.load();
  await controlCalls.load();
}
