import { ApiError, assumed, badRequest } from '../operation/errors.ts';
import { END_OF_TIME, isoTime } from '../values/timestamp.ts';
import { type ClockSnapshot, toDo } from './clock-snapshot.ts';
import { InFlight } from './in-flight.ts';
import { MoveQueue } from './move-queue.ts';
import type { RealTime } from './realtime.ts';
import { type Due, keyOf, type Task, type TaskRunner } from './task.ts';
import { TimerQueue } from './timers.ts';

/** What the control plane tells of a clock. */
export interface ClockView {
  readonly now: string;
  readonly mode: 'running' | 'frozen';
  readonly pendingTimers: number;
}

interface ClockOptions {
  readonly realTime: RealTime;
  readonly run: TaskRunner;
  /** Where the clock starts, in milliseconds; wall time when absent. */
  readonly startAt?: number | undefined;
  readonly frozen?: boolean | undefined;
  /** What the clock goes on from; it weighs more than the two above. */
  readonly from?: ClockSnapshot | undefined;
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
  readonly #moves: MoveQueue;
  readonly #underWay = new InFlight<Due>();
  #advancedMs = 0;
  #disarm: () => void = () => undefined;
  #stopped = false;

  constructor({ realTime, run, startAt, frozen, from, onMove }: ClockOptions) {
    this.#realTime = realTime;
    this.#run = run;
    this.#moves = new MoveQueue(this.#underWay, realTime);
    this.#onMove = onMove ?? (() => undefined);
    this.#wallTime = from?.wallNow ?? realTime.now();
    this.#sandboxTime = from?.now ?? startAt ?? this.#wallTime;
    this.#frozen = from?.frozen ?? frozen ?? false;
    this.#advancedMs = from?.advancedMs ?? 0;
    for (const { at, value } of from?.timers ?? []) this.#timers.set(keyOf(value), at, value);
    this.#arm();
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
    const mode = this.#frozen ? 'frozen' : 'running';
    return { now: this.timestamp(), mode, pendingTimers: this.#timers.size };
  }

  /** Where the clock stands now. What is under way is among its timers again. */
  snapshot(): ClockSnapshot {
    const timers = toDo(this.#underWay.values(), this.#timers.list());
    return { now: this.now(), frozen: this.#frozen, advancedMs: this.#advancedMs, timers };
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
   * due before a later moment runs on the way to it, as in an advance. Resolves with where it stopped.
   */
  freeze(at?: number): Promise<ClockView> {
    return this.#move(async () => {
      if (at !== undefined && at > this.now()) await this.#carryTo(at);
      this.#set(at ?? this.now());
      this.#frozen = true;
      this.#arm();
    }, at !== undefined);
  }

  /** Lets a frozen clock run along with wall time again, from where it stands. */
  resume(): Promise<ClockView> {
    return this.#move(async () => {
      this.#set(this.now());
      this.#frozen = false;
      this.#arm();
    }, false);
  }

  /**
   * Moves the clock on by `ms` and resolves, with where that took it, when everything due by then has run and
   * finished, tasks scheduled on the way included.
   */
  advance(ms: number): Promise<ClockView> {
    return this.#move(() => this.#carryTo(this.now() + ms), true);
  }

  /** Runs `work` at one moment: time does not pass while it runs. */
  atOneMoment(work: () => void): void {
    this.#hold(this.now(), work);
    this.#arm();
  }

  /** Ends this clock for good: no timer of it fires any more. */
  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  /** Resolves when nothing is under way and nothing is due by now. */
  async settled(): Promise<void> {
    while (!this.#stopped) {
      const next = this.#timers.nextDue();
      if (!this.#underWay.isEmpty) await this.#underWay.allDone();
      else if (next === null || next > this.now()) return;
      else await new Promise<void>(resolve => this.#realTime.after(0, resolve));
    }
  }

  /** Answers how the clock stands when the move ends, before the next one begins. */
  #move(move: () => Promise<void>, waits: boolean): Promise<ClockView> {
    return this.#moves.make(async () => {
      await move();
      if (this.#stopped) {
        const message = 'the sandbox was reset or stopped while its clock was moving; ask again';
        throw new ApiError(409, assumed('clock-moves'), message);
      }
      const view = this.view();
      this.#onMove(view);
      return view;
    }, waits);
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
    // From here on the advance alone begins what is due.
    this.#disarm();
    try {
      // What was under way before may schedule more.
      await this.#underWay.allDone();
      for (let due = this.#takeDue(target); due !== null; due = this.#takeDue(target)) {
        this.#held = Math.max(this.#held, due.at);
        await this.#runAllDueNow(due);
      }
      if (this.#stopped) return;
      this.#advancedMs += target - start;
      this.#set(target);
    } finally {
      this.#held = null;
      this.#arm();
    }
  }

  /** Begins everything that is due at this moment, `first` included, and waits for all of it. */
  #runAllDueNow(first: Due): Promise<void> {
    return this.#moves.runTasks(() => {
      this.#begin(first);
      for (let due = this.#takeDue(this.now()); due !== null; due = this.#takeDue(this.now())) {
        this.#begin(due);
      }
    });
  }

  #hold(moment: number, work: () => void): void {
    this.#held = moment;
    try {
      work();
    } finally {
      this.#held = null;
    }
  }

  #begin(due: Due): void {
    const work = this.#run(due.value);
    if (work !== undefined) this.#underWay.add(work, due);
  }

  #takeDue(limit: number): Due | null {
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
      this.#hold(due.at, () => this.#begin(due));
    }
    this.#arm();
  }
}
