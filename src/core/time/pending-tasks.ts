import type { InFlightSnapshot } from './in-flight.ts';
import { type Due, keyOf, type Task } from './task.ts';
import { TimerQueue, type TimersSnapshot } from './timers.ts';

/** The tasks of a clock at one moment: those that have started or are about to, then the scheduled ones. */
export class PendingTasks implements Iterable<Due> {
  readonly scheduled: TimersSnapshot<Task>;
  readonly #inFlight: InFlightSnapshot | null;
  readonly #deferred: readonly Due[];

  constructor(
    scheduled: TimersSnapshot<Task>,
    inFlight: InFlightSnapshot | null = null,
    deferred: readonly Due[] = [],
  ) {
    this.scheduled = scheduled;
    this.#inFlight = inFlight;
    this.#deferred = deferred;
  }

  /** The tasks that have started or are about to, unless they are scheduled again. */
  started(): Due[] {
    const timers = new TimerQueue(this.scheduled);
    const inFlight = [...(this.#inFlight?.values() ?? [])].map(({ due }) => due);
    return [...inFlight, ...this.#deferred].filter(({ value }) => !timers.has(keyOf(value)));
  }

  *[Symbol.iterator](): Generator<Due> {
    yield* this.started();
    yield* new TimerQueue(this.scheduled).list();
  }
}
