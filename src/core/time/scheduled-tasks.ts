import { IndexedRows, type RowsSnapshot } from '../store/persistent/indexed-rows.ts';
import { once } from '../values/once.ts';
import type { RealTime } from './realtime.ts';
import { type Due, keyOf, type Task, TimerQueue, type TimersSnapshot } from './timers.ts';
import { Slices } from './turns.ts';

interface Starting {
  /** They are due by then. */
  readonly limit: number;
  readonly startAt: (due: Due, work: () => void) => void;
  readonly onStarted: () => void;
}

/** Runs a task. Never throws. A returned promise means that the task is in flight until it resolves. */
export type TaskRunner = (task: Task) => void | Promise<void>;

/** Cap on the tasks that start in a slice because others have ended. */
const MAX_BESIDE_ENDS = 100;

/**
 * The scheduled tasks of a clock. The tasks that fall due together are started in slices. Nothing shows where one slice
 * ends: a task that falls due while they are started, and that none of them schedules itself, starts after all of them,
 * as if they had been started at once.
 */
export class ScheduledTasks {
  readonly inFlight = new InFlight();
  readonly #run: TaskRunner;
  readonly #orderOf: (task: Task) => number;
  readonly #slices: Slices;
  readonly #timers: TimerQueue;
  /** What starts after the tasks that are being started now, by key. */
  readonly #deferred = new Map<string, Due>();
  #starting: Starting | null = null;
  /** How many may start in this slice because another task has ended. */
  #leftBesideEnds = 0;
  #isInTask = false;
  #isStopped = false;
  readonly #waiting: (() => void)[] = [];
  /** The last snapshot without tasks in flight: most requests find the same tasks. */
  #idle: PendingTasks | null = null;

  /** `orderOf` returns the place of a task among those due at the same moment. `from` holds the tasks to begin with. */
  constructor(run: TaskRunner, orderOf: (task: Task) => number, realTime: RealTime, from?: TimersSnapshot) {
    this.#timers = new TimerQueue(from);
    this.#run = run;
    this.#orderOf = orderOf;
    this.#slices = new Slices(realTime);
  }

  get size(): number {
    return this.#timers.size + this.#deferred.size;
  }

  /** Whether due tasks are being started, with slices to come. */
  get isStarting(): boolean {
    return this.#starting !== null;
  }

  /** The due time of the next task, or null when none is scheduled. */
  get nextDue(): number | null {
    return this.#timers.nextDue();
  }

  isDue(limit: number): boolean {
    const next = this.nextDue;
    return !this.#isStopped && next !== null && next <= limit;
  }

  /** Whether a task that matches is due by `limit`, while no due tasks are being started. */
  hasDue(limit: number, matches: (task: Task) => boolean): boolean {
    for (const { at, value } of this.#timers.list()) {
      if (at > limit) return false;
      if (matches(value)) return true;
    }
    return false;
  }

  /** The tasks that have not ended. One in flight counts as not started, since its result is unknown. */
  snapshot(now: number): PendingTasks {
    const scheduled = this.#timers.snapshot();
    if (this.inFlight.size + this.#deferred.size > 0) {
      return new PendingTasks(scheduled, now, this.inFlight.snapshot(), [...this.#deferred.values()]);
    }
    if (this.#idle?.scheduled !== scheduled) this.#idle = new PendingTasks(scheduled, now);
    return this.#idle;
  }

  /** Schedules a task. Replaces the same task if it has not started. */
  set(at: number, task: Task): void {
    const key = keyOf(task);
    this.#deferred.delete(key);
    if (this.#starting === null || this.#isInTask || at > this.#starting.limit) {
      this.#timers.set(at, task, this.#orderOf(task));
    } else {
      this.#timers.delete(task);
      this.#deferred.set(key, { at, value: task });
    }
  }

  delete(task: Task): void {
    this.#timers.delete(task);
    this.#deferred.delete(keyOf(task));
  }

  /**
   * Starts the tasks due by `limit`, each in `startAt`, and then calls `onStarted`: before this returns, unless they take
   * more than a slice.
   */
  start(limit: number, startAt: Starting['startAt'], onStarted: () => void): void {
    this.#starting = { limit, startAt, onStarted };
    this.#startSlice(this.#starting);
  }

  #startSlice(starting: Starting): void {
    this.#leftBesideEnds = MAX_BESIDE_ENDS;
    this.#continue(starting, () => this.#slices.hasTime());
  }

  /** Starts those that are left of the tasks that are being started. */
  startRest(): void {
    if (this.#starting !== null && !this.#isInTask) this.#continue(this.#starting, () => true);
  }

  /**
   * Does so before the end of a task takes effect. Of thousands, it leaves most to the slices: each end would start more,
   * and nothing else of the process would have its turn.
   */
  startRestBesideEnd(): void {
    if (this.#starting === null || this.#isInTask || this.#leftBesideEnds <= 0) return;
    this.#continue(this.#starting, () => this.#leftBesideEnds-- > 0);
  }

  #continue(starting: Starting, hasRoom: () => boolean): void {
    while (this.isDue(starting.limit)) {
      if (!hasRoom()) {
        this.#slices.nextTurn(() => {
          if (this.#starting === starting) this.#startSlice(starting);
        });
        return;
      }
      const due = this.#timers.takeDue(starting.limit);
      if (due === null) break;
      starting.startAt(due, () => this.#startTask(due));
    }
    this.#starting = null;
    for (const { at, value } of this.#deferred.values()) this.set(at, value);
    this.notify();
    starting.onStarted();
  }

  async waitUntilStarted(): Promise<void> {
    while (this.isStarting) await this.nextStart();
  }

  /** Resolves once the tasks that are being started have started, and none is in flight. */
  async drain(): Promise<void> {
    await this.waitUntilStarted();
    // They may schedule more.
    await this.inFlight.waitUntilDrained();
  }

  /** Resolves when due tasks have started, or none of them can start any more. */
  nextStart(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  /** Ends every `nextStart`, for when a task that is due may never start. */
  notify(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  stop(): void {
    this.#isStopped = true;
    this.notify();
  }

  #startTask(due: Due): void {
    this.#isInTask = true;
    try {
      const work = this.#run(due.value);
      if (work !== undefined) this.inFlight.add(work, due);
    } finally {
      this.#isInTask = false;
    }
  }
}

interface Started {
  readonly work: Promise<void>;
  readonly due: Due;
}

/** The tasks in flight at one moment, in the order in which they started. */
export type InFlightSnapshot = RowsSnapshot<Started>;

export class InFlight {
  readonly #tasks = new IndexedRows<Started>({ unique: [], groups: [] });
  /** What ends each, by its key. */
  readonly #ends = new Map<string, () => void>();
  /** Called when the last of them ends. */
  readonly #waiting: (() => void)[] = [];

  get size(): number {
    return this.#tasks.size;
  }

  /** Takes a snapshot. Copies no tasks. */
  snapshot(): InFlightSnapshot {
    return this.#tasks.snapshot();
  }

  /** Tracks a task until it ends, at the latest when `work` resolves. `work` must not reject. */
  add(work: Promise<void>, due: Due): void {
    const key = keyOf(due.value);
    const number = this.#tasks.insert({ work, due });
    const end = once(() => {
      this.#tasks.delete(number);
      if (this.#ends.get(key) === end) this.#ends.delete(key);
      if (this.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    });
    if (!this.#ends.has(key)) this.#ends.set(key, end);
    void work.then(end);
  }

  /** Ends a task whose effects take place now, although its promise resolves later. Does nothing if it is not in flight. */
  end(task: Task): void {
    this.#ends.get(keyOf(task))?.();
  }

  /** The tasks in flight that match. The promises resolve when they end. */
  matching(matches: (task: Task) => boolean): Promise<void>[] {
    const started = [...this.#tasks.values()];
    return started.filter(({ due }) => matches(due.value)).map(({ work }) => work);
  }

  /** Resolves when no task is in flight, including tasks that start in the meantime. */
  async waitUntilDrained(): Promise<void> {
    while (this.size > 0) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }
}

/** The tasks of a clock at one moment: those that have started or are about to, then the scheduled ones. */
export class PendingTasks implements Iterable<Due> {
  readonly scheduled: TimersSnapshot;
  readonly #now: number;
  readonly #inFlight: InFlightSnapshot | null;
  readonly #deferred: readonly Due[];

  constructor(
    scheduled: TimersSnapshot,
    now: number,
    inFlight: InFlightSnapshot | null = null,
    deferred: readonly Due[] = [],
  ) {
    this.scheduled = scheduled;
    this.#now = now;
    this.#inFlight = inFlight;
    this.#deferred = deferred;
  }

  /** The tasks that have started or are about to, unless they are scheduled again. They are due, also where the clock went back. */
  startedTasks(): Due[] {
    const timers = new TimerQueue(this.scheduled);
    const inFlight = [...(this.#inFlight?.values() ?? [])].map(({ due }) => due);
    return [...inFlight, ...this.#deferred]
      .filter(({ value }) => !timers.has(value))
      .map(({ at, value }) => ({ at: Math.min(at, this.#now), value }));
  }

  *[Symbol.iterator](): Generator<Due> {
    yield* this.startedTasks();
    yield* new TimerQueue(this.scheduled).list();
  }
}
