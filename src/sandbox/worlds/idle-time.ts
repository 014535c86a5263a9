import type { RealTime } from '../../core/time/realtime.ts';
import { parseDuration } from '../../core/values/duration.ts';

/** What a world that never ends by itself has instead of a duration. */
const NEVER = '0';

/** The format of the idle time of worlds, for messages. */
export const IDLE_TIME_RULE = 'must be a duration such as 30m or 1h, or 0 for never';

/** Returns the idle time after which a world ends, in milliseconds, or null for never. Takes only valid texts. */
export function idleTime(text: string): number | null {
  const milliseconds = text === NEVER ? 0 : (parseDuration(text) ?? 0);
  return milliseconds === 0 ? null : milliseconds;
}

/** Whether a text is an idle time. */
export function isIdleTime(text: string): boolean {
  return text === NEVER || parseDuration(text) !== null;
}

/** When a world was last used, and its end after a time without use. Wall time. */
export class IdleTime {
  readonly #realTime: RealTime;
  readonly #limitMs: number | null;
  readonly #onLimit: () => void;
  #lastUsedAt: number;
  #requestsInProgress = 0;
  #cancel: () => void = () => undefined;

  /** Calls `onLimit` after `limitMs` without use; never for null. */
  constructor(realTime: RealTime, limitMs: number | null, onLimit: () => void) {
    this.#realTime = realTime;
    this.#limitMs = limitMs;
    this.#onLimit = onLimit;
    this.#lastUsedAt = realTime.now();
    this.#await();
  }

  /** Wall time of the last use, in milliseconds since 1970. */
  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** Notes a use. */
  touch(): void {
    this.#lastUsedAt = this.#realTime.now();
  }

  /** Notes a use that lasts. Returns the function that ends it. */
  use(): () => void {
    this.touch();
    this.#requestsInProgress += 1;
    return () => {
      this.touch();
      this.#requestsInProgress -= 1;
    };
  }

  /** Cancels the timer. */
  stop(): void {
    this.#cancel();
  }

  #await(): void {
    if (this.#limitMs === null) return;
    const idleMs = this.#requestsInProgress > 0 ? 0 : this.#realTime.now() - this.#lastUsedAt;
    if (idleMs >= this.#limitMs) this.#onLimit();
    else this.#cancel = this.#realTime.after(this.#limitMs - idleMs, () => this.#await());
  }
}
