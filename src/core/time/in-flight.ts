import { IndexedRows, type RowsSnapshot } from '../store/persistent/indexed-rows.ts';
import type { Due, Task } from './task.ts';

/** A task that has started, and the promise that resolves when it ends. */
interface Started {
  readonly work: Promise<void>;
  readonly due: Due;
}

/** The tasks in flight at one moment, in the order in which they started. */
export type InFlightSnapshot = RowsSnapshot<Started>;

/** Tasks that have started and not ended. */
export class InFlight {
  readonly #tasks = new IndexedRows<Started>({ unique: [], groups: [] });
  /** Called when the last of them ends. */
  readonly #waiting: (() => void)[] = [];

  /** The number of tasks in flight. */
  get size(): number {
    return this.#tasks.size;
  }

  /** Takes a snapshot. Copies no tasks. */
  snapshot(): InFlightSnapshot {
    return this.#tasks.snapshot();
  }

  /** Tracks a task until `work` resolves. `work` must not reject. */
  add(work: Promise<void>, due: Due): void {
    const task = this.#tasks.insert({ work, due });
    void work.then(() => {
      this.#tasks.delete(task);
      if (this.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  /** The tasks in flight that match. The promises resolve when they end. */
  matching(matches: (task: Task) => boolean): Promise<void>[] {
    const started = [...this.#tasks.values()];
    return started.filter(({ due }) => matches(due.value)).map(({ work }) => work);
  }

  /** Resolves when no task is in flight, including tasks that start in the meantime. */
  async drained(): Promise<void> {
    while (this.size > 0) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }
}
