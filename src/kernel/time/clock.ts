import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import { END_OF_TIME, isoTime } from '../values/timestamp.ts';
import { ClockTime } from './clock-time.ts';
import { InFlight } from './in-flight.ts';
import { MoveQueue } from './move-queue.ts';
import { PendingTasks } from './pending-tasks.ts';
import type { RealTime } from './realtime.ts';
import { type Due, keyOf, type Task, type TaskRunner } from './task.ts';
import { TimerQueue } from './timers.ts';

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
  readonly #run: TaskRunner;
  readonly #orderOf: (task: Task) => number;
  readonly #onMove: (clock: ClockView) => void;
  readonly #timers: TimerQueue<Task>;
  readonly #inFlight = new InFlight();
  readonly #moves: MoveQueue;
  readonly #time: ClockTime;
  #advancedMs: number;
  #disarm: () => void = () => undefined;
  #stopped = false;

  constructor({ realTime, run, orderOf, startAt, frozen, from, onMove }: ClockOptions) {
    this.#realTime = realTime;
    this.#run = run;
    this.#orderOf = orderOf ?? (() => 0);
    this.#onMove = onMove ?? (() => undefined);
    this.#moves = new MoveQueue(this.#inFlight, realTime);
    this.#time = new ClockTime(realTime, from?.now ?? startAt, from?.frozen ?? frozen ?? false);
    this.#advancedMs = from?.advancedMs ?? 0;
    const timers = from?.timers ?? [];
    const isPending = timers instanceof PendingTasks;
    this.#timers = new TimerQueue<Task>(isPending ? timers.scheduled : undefined);
    for (const { at, value } of isPending ? timers.inFlight : timers) this.schedule(at, value);
    this.#arm();
  }

  /** Sandbox time in milliseconds since 1970. While a task runs, the due time of that task. */
  now(): number {
    return this.#time.now();
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
    const mode = this.#time.isFrozen ? 'frozen' : 'running';
    return { now: this.timestamp(), mode, pendingTimers: this.#timers.size };
  }

  /** The current state. A task in flight counts as a timer, since its result is unknown: the next clock runs it again. */
  snapshot(): ClockSnapshot {
    const inFlight = this.#inFlight.list().filter(({ value }) => !this.#timers.has(keyOf(value)));
    const timers = new PendingTasks(inFlight, this.#timers.snapshot());
    return { now: this.now(), frozen: this.#time.isFrozen, advancedMs: this.#advancedMs, timers };
  }

  /** Schedules `task` for sandbox time `at` (milliseconds). Replaces the same task if it is pending. */
  schedule(at: number, task: Task): void {
    this.#timers.set(keyOf(task), at, task, this.#orderOf(task));
    this.#arm();
  }

  /** Cancels a pending task. Does nothing if the task is not pending. */
  cancel(task: Task): void {
    this.#timers.delete(keyOf(task));
  }

  /**
   * Freezes the clock at its current time, or at `at`; from then on it moves only by `advance`. If `at` is later than
   * now, the tasks due before it run as in an advance. Resolves with the frozen clock.
   */
  freeze(at?: number): Promise<ClockView> {
    return this.#move(async () => {
      if (at !== undefined && at > this.now()) await this.#advanceTo(at);
      this.#time.freeze(at ?? this.now());
      this.#arm();
    }, at !== undefined);
  }

  /** Lets a frozen clock run with wall time again, from its current time. */
  resume(): Promise<ClockView> {
    return this.#move(async () => {
      this.#time.resume();
      this.#arm();
    }, false);
  }

  /**
   * Moves the clock forward by `ms`. Resolves with the clock at that time, when every task due by then has ended,
   * including the tasks scheduled on the way. Throws a 400 past the end of sandbox time.
   */
  advance(ms: number): Promise<ClockView> {
    return this.#move(() => this.#advanceTo(this.now() + ms), true);
  }

  /** Runs `work` with the clock held at the current time. */
  hold(work: () => void): void {
    this.#holdAt(this.now(), work);
    this.#arm();
  }

  /** Stops this clock for good: no timer fires again. */
  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  /** Resolves when no matching task is in flight or due. Waits for others only where an advance starts it after them. */
  async settled(matches: (task: Task) => boolean = () => true): Promise<void> {
    while (!this.#stopped) {
      const inFlight = this.#inFlight.matching(matches);
      if (inFlight.length > 0) await Promise.all(inFlight);
      else if (!this.#timers.isDue(this.now(), matches)) return;
      else if (this.#time.isHeld && this.#inFlight.size > 0) await this.#inFlight.drained();
      else await new Promise<void>(resolve => this.#realTime.after(0, resolve));
    }
  }

  /** Queues a move. Resolves with the clock at the end of this move, before the next one starts. */
  #move(move: () => Promise<void>, waitsForTasks: boolean): Promise<ClockView> {
    return this.#moves.run(async () => {
      await move();
      if (this.#stopped) {
        const message = 'the sandbox was reset or stopped while its clock was moving; send the request again';
        throw new ApiError(409, assumed('clock-moves'), message);
      }
      const view = this.view();
      this.#onMove(view);
      return view;
    }, waitsForTasks);
  }

  async #advanceTo(target: number): Promise<void> {
    if (target > END_OF_TIME) {
      const message = `the sandbox clock ends at ${isoTime(END_OF_TIME)}; POST /_sandbox/reset takes it back`;
      throw badRequest(assumed('clock-moves'), message);
    }
    const start = this.now();
    this.#time.hold(start);
    // Until the end of the advance, only the advance starts tasks.
    this.#disarm();
    try {
      // The tasks in flight may schedule more.
      await this.#inFlight.drained();
      while (this.#hasDue(target)) {
        this.#time.hold(Math.max(this.now(), this.#timers.nextDue() ?? 0));
        // All tasks of one moment are in flight together.
        await this.#moves.runTasks(() => {
          for (const due of this.#takeDue(this.now())) this.#start(due);
        });
      }
      if (this.#stopped) return;
      this.#advancedMs += target - start;
      this.#time.set(target);
    } finally {
      this.#time.release();
      this.#arm();
    }
  }

  #hasDue(limit: number): boolean {
    const next = this.#timers.nextDue();
    return !this.#stopped && next !== null && next <= limit;
  }

  /** Takes the tasks due by `limit` one at a time, since each may schedule or cancel others. */
  *#takeDue(limit: number): Generator<Due> {
    while (!this.#stopped) {
      const due = this.#timers.takeDue(limit);
      if (due === null) return;
      yield due;
    }
  }

  #start(due: Due): void {
    const work = this.#run(due.value);
    if (work !== undefined) this.#inFlight.add(work, due);
  }

  #holdAt(moment: number, work: () => void): void {
    this.#time.hold(moment);
    try {
      work();
    } finally {
      this.#time.release();
    }
  }

  /** Sets one real timer for the next task. A frozen clock runs only what is due now; the rest waits for an advance. */
  #arm(): void {
    this.#disarm();
    const next = this.#timers.nextDue();
    if (next === null || this.#stopped || this.#time.isHeld) return;
    const delay = next - this.now();
    if (delay <= 0 || !this.#time.isFrozen) this.#disarm = this.#realTime.after(delay, () => this.#fire());
  }

  #fire(): void {
    for (const due of this.#takeDue(this.now())) this.#holdAt(due.at, () => this.#start(due));
    this.#arm();
  }
}
