import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import { END_OF_TIME, isoTime } from '../values/timestamp.ts';
import { MoveQueue } from './move-queue.ts';
import type { RealTime } from './realtime.ts';
import { PendingTasks, ScheduledTasks, type TaskRunner } from './scheduled-tasks.ts';
import type { Due, Task } from './timers.ts';
import type { Steps } from './turns.ts';

/** What the refusal of a move begins with that has not begun. */
export const MOVE_NOT_BEGUN = 'the sandbox was reset or stopped before its clock could move';

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
 * fall due on the way, each at its due time; tasks of one moment run in the order of `orderOf`.
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
  /** The sum of the advances that have ended. */
  #advancedMs: number;
  /** The time at which the advance in progress began; null when there is none. */
  #advanceStart: number | null = null;
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

  /** The sum of all advances of this clock, in milliseconds; of one in progress, what it has done so far. */
  get advancedMs(): number {
    return this.#advancedMs + (this.#advanceStart === null ? 0 : this.now() - this.#advanceStart);
  }

  view(): ClockView {
    return this.#viewAt(this.now());
  }

  #viewAt(time: number): ClockView {
    const mode = this.#isFrozen ? 'frozen' : 'running';
    return { now: isoTime(time), mode, pendingTimers: this.#tasks.size };
  }

  /** The current state. A task in flight counts as a timer, since its result is unknown: the next clock runs it again. */
  snapshot(): ClockSnapshot {
    return {
      now: this.now(),
      frozen: this.#isFrozen,
      advancedMs: this.advancedMs,
      timers: this.#tasks.snapshot(this.now()),
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
   * now, the tasks due before it run as in an advance. Resolves with the frozen clock. Like all moves, it calls `onBegin`
   * when it begins, after those before it.
   */
  freeze(at?: number, onBegin?: () => void): Promise<ClockView> {
    return this.#move(onBegin, () => {
      if (at === undefined || at <= this.now()) return this.#freezeAt(at ?? this.now());
      return this.#advanceTo(at).then(() => this.#freezeAt(at));
    });
  }

  #freezeAt(time: number): ClockView {
    this.#setTime(time);
    this.#isFrozen = true;
    this.#arm();
    return this.#viewAt(time);
  }

  /** Lets a frozen clock run with wall time again, from its current time. */
  resume(onBegin?: () => void): Promise<ClockView> {
    return this.#move(onBegin, () => {
      const time = this.now();
      this.#setTime(time);
      this.#isFrozen = false;
      this.#arm();
      return this.#viewAt(time);
    });
  }

  /**
   * Moves the clock forward by `ms`. Resolves with the clock at that time, when every task due by then has ended,
   * including the tasks scheduled on the way. Throws a 400 past the end of sandbox time.
   */
  advance(ms: number, onBegin?: () => void): Promise<ClockView> {
    return this.#move(onBegin, async () => {
      const target = this.now() + ms;
      await this.#advanceTo(target);
      return this.#viewAt(target);
    });
  }

  get isMoving(): boolean {
    return this.#pinnedAt !== null;
  }

  /**
   * Calls `work` at one moment, so that all it does has the same time. A move in it ends the moment. What is due starts
   * first: `work` finds the same however late the machine is.
   */
  hold<T>(work: () => T): T {
    return this.#atOnce(this.#catchUp(), work);
  }

  /**
   * Calls `work`, the end of a task in flight, at one moment. What is due starts first; during an advance, what the end
   * of another task has made due starts after all of them.
   */
  endTask<T>(work: () => T): T {
    if (this.#advanceStart === null) return this.#atOnce(this.#catchUp(), work);
    this.#tasks.startRestBesideEnd();
    return this.#atOnce(this.now(), work);
  }

  /** Ends a task in flight: it is not part of later snapshots, which have its effects. Call it where these take place. */
  endInFlight(task: Task): void {
    this.#tasks.inFlight.end(task);
  }

  #atOnce<T>(moment: number, work: () => T): T {
    this.#heldAt = moment;
    try {
      return work();
    } finally {
      this.#heldAt = null;
    }
  }

  /** Runs `steps` with the clock pinned at the current time, between them too. No task runs meanwhile. */
  *pinDuring<T>(steps: Steps<T>): Steps<T> {
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

  /** Resolves when no task that matches is in flight or due. */
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

  #setTime(time: number): void {
    this.#heldAt = null;
    this.#sandboxTime = time;
    this.#wallTime = this.#realTime.now();
  }

  /** Queues a move. Resolves with the clock at the end of this move, before the next one starts. */
  #move(
    onBegin: () => void = () => undefined,
    move: () => ClockView | Promise<ClockView>,
  ): Promise<ClockView> {
    const checkState = (problem: string) => {
      if (!this.#stopped) return;
      throw new ApiError(409, assumed('clock-moves'), `${problem}; send the request again`);
    };
    return this.#moves.run(async hasWaited => {
      checkState(MOVE_NOT_BEGUN);
      const moved = this.#atOnce(hasWaited ? this.#catchUp() : this.now(), () => {
        onBegin();
        return move();
      });
      const view = moved instanceof Promise ? await moved : moved;
      // One that ends at once has ended, whatever happens before its caller knows.
      if (moved !== view) checkState('the sandbox was reset or stopped while its clock was moving');
      this.#onMove(view);
      return view;
    });
  }

  async #advanceTo(target: number): Promise<void> {
    if (target > END_OF_TIME) {
      const message = `the sandbox clock ends at ${isoTime(END_OF_TIME)}; POST /_sandbox/reset takes it back`;
      throw badRequest(assumed('clock-moves'), message);
    }
    const start = this.now();
    this.#pinnedAt = start;
    this.#advanceStart = start;
    // Until the end of the advance, only the advance and requests start tasks.
    this.#disarm();
    this.#tasks.notify();
    try {
      let next: number | null = null;
      for (;;) {
        const moment = next;
        await this.#moves.waitFor(async () => {
          // All tasks of one moment are in flight together.
          if (moment !== null) this.#startAt(moment);
          await this.#tasks.drain();
        });
        if (this.#stopped) return;
        next = this.#tasks.isDue(target) ? Math.max(this.now(), this.#tasks.nextDue ?? 0) : null;
        const wait = this.#realTime.untilReached?.(next ?? target) ?? null;
        if (wait !== null) next = await wait.then(() => null);
        else if (next === null && this.#tasks.inFlight.size === 0) break;
      }
      this.#advancedMs += target - start;
      this.#setTime(target);
    } finally {
      this.#advanceStart = null;
      this.#pinnedAt = null;
      this.#tasks.notify();
      this.#arm();
    }
  }

  #startAt(moment: number): void {
    this.#pinnedAt = moment;
    this.#tasks.start(
      moment,
      (_, work) => work(),
      () => undefined,
    );
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

  /** Starts what is due, and returns the moment by which it was: wall time passes while tasks start. */
  #catchUp(): number {
    const moment = this.now();
    if (this.#heldAt !== null) return moment;
    // What is being started was due by an earlier moment.
    this.#tasks.startRest();
    if (!this.#tasks.isStarting && this.#tasks.isDue(moment)) {
      this.#disarm();
      if (this.#advanceStart !== null) this.#startAt(moment);
      else if (this.#pinnedAt === null) this.#fire(moment);
      this.#tasks.startRest();
    }
    return moment;
  }

  #fire(limit = this.now()): void {
    const startAt = ({ at }: Due, work: () => void) => {
      const before = this.#pinnedAt;
      this.#pinnedAt = at;
      try {
        work();
      } finally {
        this.#pinnedAt = before;
      }
    };
    this.#tasks.start(limit, startAt, () => this.#arm());
  }
}

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
