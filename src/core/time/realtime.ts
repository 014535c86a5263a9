import { clearTimeout, performance, setImmediate, setTimeout, wallTime } from '../values/builtins.ts';

/** The only access to wall time. Everything else uses the sandbox clock or is passed one of these. */
export interface RealTime {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** Monotonic time in milliseconds, for durations. */
  elapsed(): number;
  /**
   * Runs `task` once after `delayMs` and returns a function that cancels it. With a delay of 0 or less, the task runs
   * at the end of this turn of the event loop, or of a later one when others have used up the time of this one. A
   * pending timer does not keep the process alive.
   */
  after(delayMs: number, task: () => void): () => void;
  /**
   * Returns a promise when a move of the sandbox clock may not reach a time yet, which resolves when that may have
   * changed; null when it may. Only a record that is played holds moves up. Default: null.
   */
  readonly untilReached?: (time: number) => Promise<void> | null;
}

/** The longest delay of a Node.js timer. The caller checks the time and waits again if the timer fires early. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time in a turn for tasks with a delay of 0, of all sandboxes of this process together, in milliseconds. */
const TURN_MS = 1;
/** When the time of this turn is used up; null before the first task of a turn. */
let turnEndsAt: number | null = null;

/** Calls of `runFirst` in one turn at most, so that a turn in which many wait costs no more than its time. */
const CALLS_PER_TURN = 256;
/** The calls of `runFirst` that wait for another turn. */
let postponed = 0;

/** The tasks of all sandboxes of this process that wait for the end of a turn, in order; null where one was cancelled. */
const waiting: { task: (() => void) | null }[] = [];
/** The place of the first task in `waiting`. */
let first = 0;
/** Tasks that have run are removed from `waiting` together, when there are so many. */
const MAX_RUN = 1_000;

/** Runs `task` at the end of the first turn that has time left for it, in order. Returns a function that cancels it. */
function atEndOfTurn(task: () => void): () => void {
  const entry: (typeof waiting)[number] = { task };
  waiting.push(entry);
  // One immediate for each task, so that what a task resolves has begun before the next one. Not unref'd: an unref'd
  // immediate would wait until another event wakes the process up.
  setImmediate(runFirst);
  return () => {
    entry.task = null;
  };
}

/** Runs the task that has waited longest, or waits for another turn. */
function runFirst(): void {
  const now = performance.now();
  if (turnEndsAt === null) {
    turnEndsAt = now + TURN_MS;
    setImmediate(() => {
      turnEndsAt = null;
    });
  }
  if (now < turnEndsAt) {
    takeFirst()?.();
    return;
  }
  if (postponed === 0) setImmediate(runPostponed);
  postponed += 1;
}

function runPostponed(): void {
  const calls = Math.min(postponed, CALLS_PER_TURN);
  postponed -= calls;
  if (postponed > 0) setImmediate(runPostponed);
  for (let count = 0; count < calls; count++) setImmediate(runFirst);
}

function takeFirst(): (() => void) | null {
  let task: (() => void) | null = null;
  while (task === null && first < waiting.length) task = waiting[first++]?.task ?? null;
  if (first === waiting.length || first >= MAX_RUN) first -= waiting.splice(0, first).length;
  return task;
}

/** The wall time of this machine. */
export const realTime: RealTime = {
  now: wallTime,
  elapsed: () => performance.now(),
  after(delayMs, task) {
    if (delayMs <= 0) return atEndOfTurn(task);
    const timer = setTimeout(task, Math.min(delayMs, MAX_TIMER_MS));
    timer.unref();
    return () => {
      // Node.js keeps its list of the timers with this delay until the delay has passed, also when the list is empty,
      // unless the last timer in it keeps the process alive.
      timer.ref();
      clearTimeout(timer);
    };
  },
};

/**
 * Resolves and rejects as `work` does. Rejects with the error of `late` when `work` is still pending after `ms` of wall
 * time and the process has spent more than half of that time waiting. Keeps the process alive until then: what never
 * settles would otherwise end it.
 */
export function settledWithin<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const start = performance.eventLoopUtilization();
      timer = setTimeout(() => {
        if (performance.eventLoopUtilization(start).utilization > 0.5) wait();
        else reject(late());
      }, ms);
    };
    wait();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether `work` ends within `ms` of wall time. `work` must not reject. */
export function endsWithin(ms: number, work: Promise<unknown>, time: RealTime): Promise<boolean> {
  return new Promise(resolve => {
    const cancel = time.after(ms, () => resolve(false));
    void work.then(() => {
      cancel();
      resolve(true);
    });
  });
}
