import type { Due, Task } from './task.ts';
import { TimerQueue, type TimersSnapshot } from './timers.ts';

/** The tasks of a clock at one moment: those in flight, then the scheduled ones. */
export class PendingTasks implements Iterable<Due> {
  readonly inFlight: readonly Due[];
  readonly scheduled: TimersSnapshot<Task>;

  constructor(inFlight: readonly Due[], scheduled: TimersSnapshot<Task>) {
    this.inFlight = inFlight;
    this.scheduled = scheduled;
  }

  *[Symbol.iterator](): Generator<Due> {
    yield* this.inFlight;
    yield* new TimerQueue(this.scheduled).list();
  }
}
