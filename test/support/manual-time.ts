import type { RealTime } from '../../src/core/time/realtime.ts';

/**
 * Wall time that passes only when a test advances it. `maxDelayMs` imitates the limit of real timers: a timer with a
 * longer delay fires early.
 */
export function manualTime(start = 0, maxDelayMs = Number.POSITIVE_INFINITY) {
  let now = start;
  const timers = new Set<{ at: number; task: () => void }>();
  const realTime: RealTime = {
    now: () => now,
    elapsed: () => now,
    after(delayMs, task) {
      const timer = { at: now + Math.min(Math.max(0, delayMs), maxDelayMs), task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  /** Advances wall time and fires each timer at its time. */
  const pass = (ms: number): void => {
    const end = now + ms;
    for (;;) {
      const next = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers.delete(next);
      now = Math.max(now, next.at);
      next.task();
    }
    now = Math.max(now, end);
  };
  /** Advances wall time and fires nothing, as on a machine that is late. */
  const stall = (ms: number): void => {
    now += ms;
  };
  return { realTime, pass, stall };
}
