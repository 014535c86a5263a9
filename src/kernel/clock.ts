import { ApiError, assumed, badRequest } from './errors.ts';
import type { RealTime } from './realtime.ts';
import { TimerQueue } from './timers.ts';
import { isoTime } from './timestamp.ts';

/** Work that falls due: `kind` names the code, `ref` the record it is about. Data, so that it can be saved. */
export interface Task {
  readonly kind: string;
  readonly ref: string;
}

/** Does the work of a task and never throws. A promise means that an advance waits for it before it goes on. */
export type TaskRunner = (task: Task) => void | Promise<void>;

/** What the control plane tells of a clock. */
export interface ClockView {
  readonly now: string;
  readonly mode: 'running' | 'frozen';
  readonly pendingTimers: number;
}

/**
 * The last moment that a sandbox clock reaches: a hundred years, the longest duration, before years need
 * five digits and timestamps another form.
 */
export const END_OF_TIME = Date.UTC(9899, 11, 31);

interface ClockOptions {
  readonly realTime: RealTime;
  readonly run: TaskRunner;
  /** Where the clock starts, in milliseconds; wall time when absent. */
  readonly startAt?: number | undefined;
  readonly frozen?: boolean | undefined;
  /** Told after each advance, freeze and resume. */
  readonly onMove?: ((clock: ClockView) => void) | undefined;
}

/**
 * The sandbox clock. It runs along with wall time, or stands still; either way an advance carries it on,
 * and whatever falls due on the way runs in the order (due, scheduled), each at its own due time.
 */
export class Clock {
  readonly #realTime: RealTime;
  readonly #run: TaskRunner;
  readonly #onMove: (clock: ClockView) => void;
  readonly #timers = new TimerQueue<Task>();
  #sandboxTime: number;
  #wallTime: number;
  #frozen: boolean;
  #held: number | null = null;
  #moves: Promise<void> = Promise.resolve();
  #waiting = false;
  #advancedMs = 0;
  #disarm: () => void = () => undefined;
  #stopped = false;

  constructor({ realTime, run, startAt, frozen, onMove }: ClockOptions) {
    this.#realTime = realTime;
    this.#run = run;
    this.#onMove = onMove ?? (() => undefined);
    this.#wallTime = realTime.now();
    this.#sandboxTime = startAt ?? this.#wallTime;
    this.#frozen = frozen ?? false;
  }

  /** Sandbox time in milliseconds since 1970. While a task runs, the moment at which it was due. */
  now(): number {
    if (this.#held !== null) return this.#held;
    return this.#frozen ? this.#sandboxTime : this.#sandboxTime + this.#realTime.now() - this.#wallTime;
  }

  /** Sandbox time as an ISO 8601 timestamp, the form of every record's `createdAt`. */
  timestamp(): string {
    return isoTime(this.now());
  }

  /** How far advances have carried this clock so far, in milliseconds. */
  get advancedMs(): number {
    return this.#advancedMs;
  }

  /** What the clock shows to people. */
  view(): ClockView {
    return {
      now: this.timestamp(),
      mode: this.#frozen ? 'frozen' : 'running',
      pendingTimers: this.#timers.size,
    };
  }

  /**
   * Has `task` run when sandbox time reaches `at` (milliseconds). The same task scheduled before, and not yet
   * due, is called off.
   */
  schedule(at: number, task: Task): void {
    this.#timers.set(keyOf(task), at, task);
    this.#arm();
  }

  /** Calls off a scheduled task, if it is scheduled. */
  cancel(task: Task): void {
    this.#timers.delete(keyOf(task));
  }

  /**
   * Stops the clock where it is, or at the given moment; from then on it moves only by `advance`. What falls
   * due before a later moment runs on the way to it, as in an advance.
   */
  freeze(at?: number): Promise<void> {
    return this.#move(async () => {
      if (at !== undefined && at > this.now()) await this.#carryTo(at);
      this.#set(at ?? this.now());
      this.#frozen = true;
      this.#arm();
    });
  }

  /** Lets a frozen clock run along with wall time again, from where it stands. */
  resume(): Promise<void> {
    return this.#move(async () => {
      this.#set(this.now());
      this.#frozen = false;
      this.#arm();
    });
  }

  /**
   * Moves the clock on by `ms` and resolves when everything due by then has run and finished, tasks
   * scheduled on the way included.
   */
  advance(ms: number): Promise<void> {
    return this.#move(() => this.#carryTo(this.now() + ms));
  }

  /** Ends this clock for good: no timer of it fires any more. */
  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  /**
   * Moves wait for each other. One that is asked for while a task of another is waited for (a receiver that
   * calls back) might wait for itself, so it is refused with 409.
   */
  #move(move: () => Promise<void>): Promise<void> {
    if (this.#waiting) {
      const message = 'clock is already advancing; ask again when the running advance has answered';
      return Promise.reject(new ApiError(409, assumed('clock-moves'), message));
    }
    const done = this.#moves.then(move).then(() => this.#onMove(this.view()));
    this.#moves = done.catch(() => undefined);
    return done;
  }

  async #carryTo(target: number): Promise<void> {
    if (target > END_OF_TIME) {
      throw badRequest(
        assumed('clock-moves'),
        `the sandbox clock ends at ${isoTime(END_OF_TIME)}; POST /_sandbox/reset takes it back`,
      );
    }
    const start = this.now();
    this.#held = start;
    try {
      for (let due = this.#takeDue(target); due !== null; due = this.#takeDue(target)) {
        this.#held = Math.max(this.#held, due.at);
        await this.#runWaiting(due.value);
      }
      if (this.#stopped) {
        const message = 'the sandbox was reset or stopped while its clock was moving; ask again';
        throw new ApiError(409, assumed('clock-moves'), message);
      }
      this.#advancedMs += target - start;
      this.#set(target);
    } finally {
      this.#held = null;
      this.#arm();
    }
  }

  async #runWaiting(task: Task): Promise<void> {
    this.#waiting = true;
    try {
      await this.#run(task);
    } finally {
      this.#waiting = false;
    }
  }

  #takeDue(limit: number): { at: number; value: Task } | null {
    return this.#stopped ? null : this.#timers.takeDue(limit);
  }

  #set(sandboxTime: number): void {
    this.#sandboxTime = sandboxTime;
    this.#wallTime = this.#realTime.now();
  }

  /** Sets one real timer for the next task. A frozen clock waits for an advance, but not with what is due now. */
  #arm(): void {
    this.#disarm();
    const next = this.#timers.nextDue();
    if (next === null || this.#stopped || this.#held !== null) return;
    const delay = next - this.now();
    if (delay <= 0 || !this.#frozen) this.#disarm = this.#realTime.after(delay, () => this.#fire());
  }

  #fire(): void {
    const limit = this.now();
    for (let due = this.#takeDue(limit); due !== null; due = this.#takeDue(limit)) {
      this.#held = due.at;
      try {
        void this.#run(due.value);
      } finally {
        this.#held = null;
      }
    }
    this.#arm();
  }
}

function keyOf({ kind, ref }: Task): string {
  return `${kind} ${ref}`;
}
