import type { RealTime } from './realtime.ts';

/** The current time of a clock: it runs with wall time, is frozen, or is held while tasks run. In milliseconds. */
export class ClockTime {
  readonly #realTime: RealTime;
  /** Sandbox time at `#wallTime`. */
  #sandboxTime: number;
  #wallTime: number;
  #isFrozen: boolean;
  #heldAt: number | null = null;

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

  /** Whether time is held. */
  get isHeld(): boolean {
    return this.#heldAt !== null;
  }

  /** The current time: the held time while there is one. */
  now(): number {
    if (this.#heldAt !== null) return this.#heldAt;
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

  /** Runs `work` with time held at `at`. */
  holdDuring(at: number, work: () => void): void {
    const before = this.#heldAt;
    this.#heldAt = at;
    try {
      work();
    } finally {
      this.#heldAt = before;
    }
  }

  /** Holds time at `at` until `release`. */
  hold(at: number): void {
    this.#heldAt = at;
  }

  /** Ends a hold: time continues as if it had not been held. */
  release(): void {
    this.#heldAt = null;
  }
}
