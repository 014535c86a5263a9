import { valuesAt } from '../store/persistent/marked-list.ts';
import type { InFlightMark } from './in-flight.ts';
import { type Due, keyOf, type Task } from './task.ts';
import { TimerQueue, type TimersSnapshot } from './timers.ts';

/** The tasks that have started at one moment, then those that are about to. */
export interface StartedTasks {
  readonly inFlight: InFlightMark;
  readonly deferred: readonly Due[];
}

/** The tasks of a clock at one moment: those in flight, then the scheduled ones. */
export class PendingTasks implements Iterable<Due> {
  /** Unless they are scheduled again. */
  readonly inFlight: readonly Due[];
  readonly scheduled: TimersSnapshot<Task>;

  constructor(started: StartedTasks | null, scheduled: TimersSnapshot<Task>) {
    const timers = new TimerQueue(scheduled);
    const inFlight = started === null ? [] : valuesAt(started.inFlight).map(({ due }) => due);
    const all = [...inFlight, ...(started?.deferred ?? [])];
    this.inFlight = all.filter(({ value }) => !timers.has(keyOf(value)));
    this.scheduled = scheduled;
  }

  *[Symbol.iterator](): Generator<Due> {
    yield* this.inFlight;
    yield* new TimerQueue(this.scheduled).list();
  }
}
