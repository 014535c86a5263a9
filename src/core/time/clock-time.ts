import type { RealTime } from './realtime.ts';

/** The current time of a clock: it runs with wall time, is frozen, or is pinned while tasks run. In milliseconds. */
export class ClockTime {
  readonly #realTime: RealTime;
  /** Sandbox time at `#wallTime`. */
  #sandboxTime: number;
  #wallTime: number;
  #isFrozen: boolean;
  #pinnedAt: number | null = null;

  /** Starts at `startAt`, or at wall time when undefined. */
  constructor(realTime: RealTime, startAt: number | undefined, isFrozen: boolean) {
    this.#realTime = realTime;
    this.#wallTime = realTime.now();
    this.#sandboxTime = startAt ?? this.#wallTime;
    this.#isFrozen = isFrozen;
  }

  /** Whether time moves only by `set`. */
  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /** Whether time is pinned. */
  get isPinned(): boolean {
    return this.#pinnedAt !== null;
  }

  /** The current time: the pinned time while there is one. */
  now(): number {
    if (this.#pinnedAt !== null) return this.#pinnedAt;
    return this.#isFrozen ? this.#sandboxTime : this.#sandboxTime + this.#realTime.now() - this.#wallTime;
  }

  /** Continues from `time` in the current mode. */
  set(time: number): void {
    this.#sandboxTime = time;
    this.#wallTime = this.#realTime.now();
  }

  /** Freezes time at `at`. */
  freeze(at: number): void {
    this.set(at);
    this.#isFrozen = true;
  }

  /** Runs with wall time again, from the current time. */
  resume(): void {
    this.set(this.now());
    this.#isFrozen = false;
  }

  /** Runs `work` with time pinned at `at`. */
  pinDuring(at: number, work: () => void): void {
    const before = this.#pinnedAt;
    this.#pinnedAt = at;
    try {
      work();
    } finally {
      this.#pinnedAt = before;
    }
  }

  /** Pins time at `at` until `unpin`. */
  pin(at: number): void {
    this.#pinnedAt = at;
  }

  /** Time continues as if it had not been pinned. */
  unpin(): void {
    this.#pinnedAt = null;
  }
}
