/** The one door to wall time. Everything else asks the sandbox clock, or is handed one of these. */
export interface RealTime {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** A steadily rising reading in milliseconds, for durations. */
  elapsed(): number;
  /**
   * Runs `task` once, `delayMs` from now, and returns the way to call it off. Without a delay it runs before
   * anything else that arrives from outside. Never keeps a process alive for longer than that.
   */
  after(delayMs: number, task: () => void): () => void;
}

/** The longest delay that a real timer can hold; a later one is armed again when this has passed. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Wall time as the machine tells it. */
export const realTime: RealTime = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, task) {
    if (delayMs <= 0) {
      // Not unref'd: it keeps a process for one turn only, and unref'd it would wait until something else wakes that up.
      const immediate = setImmediate(task);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(task, Math.min(delayMs, LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Whether `work` ends within `ms` of wall time; it must not reject. */
export function endsWithin(ms: number, work: Promise<unknown>, time: RealTime): Promise<boolean> {
  return new Promise(resolve => {
    const disarm = time.after(ms, () => resolve(false));
    void work.then(() => {
      disarm();
      resolve(true);
    });
  });
}
