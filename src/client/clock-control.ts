import type { Call } from './call.ts';
import type { ClockState } from './generated/records.ts';

/** The sandbox clock: time travel. */
export interface ClockControl {
  /** Resolves with the current time of the sandbox, ISO 8601. */
  now(): Promise<string>;
  /** Resolves with the time, the mode and the number of pending timers. */
  get(): Promise<ClockState>;
  /**
   * Advances the clock by a duration such as `24h` or `90s`, or by a number of milliseconds. Resolves when everything
   * that fell due on the way has run.
   */
  advance(by: string | number): Promise<ClockState>;
  /** Freezes the clock, at its current time or at another one. */
  freeze(at?: string | Date): Promise<ClockState>;
  /** Lets a frozen clock run with wall time again. */
  resume(): Promise<ClockState>;
}

/** The clock of the sandbox behind `call`. */
export function clockControl(call: Call): ClockControl {
  const get: ClockControl['get'] = () => call('GET', '/clock');
  return {
    get,
    now: async () => (await get()).now,
    advance: by =>
      call('POST', '/clock/advance', { body: { duration: typeof by === 'number' ? `${by}ms` : by } }),
    freeze: at => call('POST', '/clock/freeze', { body: { at } }),
    resume: () => call('POST', '/clock/resume'),
  };
}
