import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import { END_OF_TIME, isoTime } from '../values/timestamp.ts';
import { MoveQueue } from './move-queue.ts';
import type { RealTime } from './realtime.ts';
import { type Due, PendingTasks, ScheduledTasks, type Task, type TaskRunner } from './scheduled-tasks.ts';

interface ClockOptions {
  readonly realTime: RealTime;
  readonly run: TaskRunner;
  /** Returns the place of a task among those due at the same moment. Default: in the order of scheduling. */
  readonly orderOf?: ((task: Task) => number) | undefined;
  /** The initial time in milliseconds. Default: wall time. */
  readonly startAt?: number | undefined;
  readonly frozen?: boolean | undefined;
  /** The snapshot to continue from. Takes precedence over `startAt` and `frozen`. */
  readonly from?: ClockSnapshot | undefined;
  /** Called after each advance, freeze and resume. */
  readonly onMove?: ((clock: ClockView) => void) | undefined;
}

/**
 * The sandbox clock. It runs with wall time or is frozen. An advance moves it in either mode and runs the tasks that
 * fall due on the way, each at its due time; those of one moment in the order of `orderOf`.
 */
export class Clock {
  readonly #realTime: RealTime;
  readonly #onMove: (clock: ClockView) => void;
  readonly #tasks: ScheduledTasks;
  readonly #moves: MoveQueue;
  /** Sandbox time at `#wallTime`. Both are in milliseconds. */
  #sandboxTime: number;
  #wallTime: number;
  #isFrozen: boolean;
  /** The time while tasks run; null when it is not pinned. */
  #pinnedAt: number | null = null;
  /** The time while a request is handled; null between requests. */
  #heldAt: number | null = null;
  #advancedMs: number;
  #disarm: () => void = () => undefined;
  #stopped = false;

  constructor({ realTime, run, orderOf, startAt, frozen, from, onMove }: ClockOptions) {
    this.#realTime = realTime;
    this.#onMove = onMove ?? (() => undefined);
    const timers = from?.timers ?? [];
    const isPending = timers instanceof PendingTasks;
    const scheduled = isPending ? timers.scheduled : undefined;
    this.#tasks = new ScheduledTasks(run, orderOf ?? (() => 0), realTime, scheduled);
    this.#moves = new MoveQueue(realTime);
    this.#wallTime = realTime.now();
    this.#sandboxTime = from?.now ?? startAt ?? this.#wallTime;
    this.#isFrozen = from?.frozen ?? frozen ?? false;
    this.#advancedMs = from?.advancedMs ?? 0;
    for (const { at, value } of isPending ? timers.startedTasks() : timers) this.schedule(at, value);
    this.#arm();
  }

  /** Sandbox time in milliseconds since 1970. While a task runs, the due time of that task. */
  now(): number {
    const fixed = this.#pinnedAt ?? this.#heldAt;
    if (fixed !== null) return fixed;
    if (this.#isFrozen) return this.#sandboxTime;
    return Math.min(this.#sandboxTime + this.#realTime.now() - this.#wallTime, END_OF_TIME);
  }

  /** Sandbox time as an ISO 8601 timestamp, the form of every record's `createdAt`. */
  timestamp(): string {
    return isoTime(this.now());
  }

  /** The sum of all advances of this clock, in milliseconds. */
  get advancedMs(): number {
    return this.#advancedMs;
  }

  /** The clock as the control plane shows it. */
  view(): ClockView {
    const mode = this.#isFrozen ? 'frozen' : 'running';
    return { now: this.timestamp(), mode, pendingTimers: this.#tasks.size };
  }

  /** The current state. A task in flight counts as a timer, since its result is unknown: the next clock runs it again. */
  snapshot(): ClockSnapshot {
    return {
      now: this.now(),
      frozen: this.#isFrozen,
      advancedMs: this.#advancedMs,
      timers: this.#tasks.snapshot(),
    };
  }

  /** Schedules `task` for sandbox time `at` (milliseconds). Replaces the same task if it is pending. */
  schedule(at: number, task: Task): void {
    this.#tasks.set(at, task);
    this.#arm();
  }

  /** Cancels a pending task. Does nothing if the task is not pending. */
  cancel(task: Task): void {
    this.#tasks.delete(task);
  }

  /**
   * Freezes the clock at its current time, or at `at`; from then on it moves only by `advance`. If `at` is later than
   * now, the tasks due before it run as in an advance. Resolves with the frozen clock.
   */
  freeze(at?: number): Promise<ClockView> {
    return this.#move(async () => {
      if (at !== undefined && at > this.now()) await this.#advanceTo(at);
      this.#setTime(at ?? this.now());
      this.#isFrozen = true;
      this.#arm();
    });
  }

  /** Lets a frozen clock run with wall time again, from its current time. */
  resume(): Promise<ClockView> {
    return this.#move(async () => {
      this.#setTime(this.now());
      this.#isFrozen = false;
      this.#arm();
    });
  }

  /**
   * Moves the clock forward by `ms`. Resolves with the clock at that time, when every task due by then has ended,
   * including the tasks scheduled on the way. Throws a 400 past the end of sandbox time.
   */
  advance(ms: number): Promise<ClockView> {
    return this.#move(() => this.#advanceTo(this.now() + ms));
  }

  /**
   * Calls `work` at one moment, so that all it does has the same time. A move in it ends the moment. What is due starts
   * first: `work` finds the same however late the machine is.
   */
  hold<T>(work: () => T): T {
    this.#catchUp();
    this.#heldAt = this.now();
    try {
      return work();
    } finally {
      this.#heldAt = null;
    }
  }

  /** Runs `steps` with the clock pinned at the current time, between them too. No task runs meanwhile. */
  *pinDuring<T, R>(steps: Generator<T, R, undefined>): Generator<T, R, undefined> {
    this.#pinnedAt = this.now();
    try {
      return yield* steps;
    } finally {
      this.#pinnedAt = null;
      this.#arm();
    }
  }

  /** Stops this clock for good: no timer fires again. */
  stop(): void {
    this.#stopped = true;
    this.#tasks.stop();
    this.#disarm();
  }

  /**
   * Resolves when no task is in flight or due, or none that matches. Waits for others only where an advance starts it
   * after them.
   */
  async waitUntilSettled(matches?: (task: Task) => boolean): Promise<void> {
    const { inFlight } = this.#tasks;
    while (!this.#stopped) {
      if (matches === undefined && inFlight.size > 0) await inFlight.waitUntilDrained();
      else if (this.#isDue(matches)) await this.#tasks.nextStart();
      else if (matches !== undefined && inFlight.size > 0) {
        const matching = inFlight.matching(matches);
        if (matching.length === 0) return;
        await Promise.all(matching);
      } else return;
    }
  }

  /** Resolves once the due tasks that are being started, in slices, have all started. */
  waitUntilStarted(): Promise<void> {
    return this.#tasks.waitUntilStarted();
  }

  /** Continues from `time` in the current mode. */
  #setTime(time: number): void {
    this.#heldAt = null;
    this.#sandboxTime = time;
    this.#wallTime = this.#realTime.now();
  }

  /** Queues a move. Resolves with the clock at the end of this move, before the next one starts. */
  #move(move: () => Promise<void>): Promise<ClockView> {
    return this.#moves.run(async () => {
      await move();
      if (this.#stopped) {
        const message = 'the sandbox was reset or stopped while its clock was moving; send the request again';
        throw new ApiError(409, assumed('clock-moves'), message);
      }
      const view = this.view();
      this.#onMove(view);
      return view;
    });
  }

  async #advanceTo(target: number): Promise<void> {
    if (target > END_OF_TIME) {
      const message = `the sandbox clock ends at ${isoTime(END_OF_TIME)}; POST /_sandbox/reset takes it back`;
      throw badRequest(assumed('clock-moves'), message);
    }
    const { inFlight } = this.#tasks;
    const start = this.now();
    this.#pinnedAt = start;
    // Until the end of the advance, only the advance starts tasks.
    this.#disarm();
    this.#tasks.notify();
    try {
      await this.#moves.waitFor(async () => {
        await this.#tasks.waitUntilStarted();
        // They may schedule more.
        await inFlight.waitUntilDrained();
      });
      while (this.#tasks.isDue(target)) {
        this.#pinnedAt = Math.max(this.now(), this.#tasks.nextDue ?? 0);
        // All tasks of one moment are in flight together.
        await this.#moves.waitFor(async () => {
          await new Promise<void>(resolve => this.#tasks.start(this.now(), (_, work) => work(), resolve));
          await inFlight.waitUntilDrained();
        });
      }
      if (this.#stopped) return;
      this.#advancedMs += target - start;
      this.#setTime(target);
    } finally {
      this.#pinnedAt = null;
      this.#tasks.notify();
      this.#arm();
    }
  }

  /** Whether a task is due that matches, or one is due that starts without waiting for any task in flight. */
  #isDue(matches: (task: Task) => boolean = () => true): boolean {
    const now = this.now();
    if (!this.#tasks.isDue(now)) return false;
    return this.#tasks.isStarting || this.#pinnedAt === null || this.#tasks.hasDue(now, matches);
  }

  /** Sets one real timer for the next task. A frozen clock runs only what is due now; the rest waits for an advance. */
  #arm(): void {
    this.#disarm();
    const next = this.#tasks.nextDue;
    if (
      next === null ||
      next > END_OF_TIME ||
      this.#stopped ||
      this.#pinnedAt !== null ||
      this.#tasks.isStarting
    )
      return;
    const delay = next - this.now();
    if (delay <= 0 || !this.#isFrozen) this.#disarm = this.#realTime.after(delay, () => this.#fire());
  }

  /** Starts what is due. */
  #catchUp(): void {
    const isMoving = this.#pinnedAt !== null || this.#tasks.isStarting;
    if (isMoving || this.#heldAt !== null || !this.#tasks.isDue(this.now())) return;
    this.#disarm();
    this.#fire();
  }

  #fire(): void {
    const startAt = ({ at }: Due, work: () => void) => {
      const before = this.#pinnedAt;
      this.#pinnedAt = at;
      try {
        work();
      } finally {
        this.#pinnedAt = before;
      }
    };
    this.#tasks.start(this.now(), startAt, () => this.#arm());
  }
}

/** The clock as the control plane shows it. */
export interface ClockView {
  readonly now: string;
  readonly mode: 'running' | 'frozen';
  readonly pendingTimers: number;
}

/** The state of a clock at one moment. A clock created from it continues in the same way. */
export interface ClockSnapshot {
  readonly now: number;
  readonly frozen: boolean;
  readonly advancedMs: number;
  /** Tasks in the order in which they fall due; no two have the same key. */
  readonly timers: Iterable<Due>;
}
