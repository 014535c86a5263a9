import type { RealTime } from '../../core/time/realtime.ts';

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

  /** Does not call `onLimit` any more. */
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
