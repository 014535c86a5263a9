import type { Due, Task } from './task.ts';

/** Tasks that have started and not ended. */
export class InFlight {
  readonly #tasks = new Map<Promise<void>, Due>();
  /** Resolves when the last of them ends. Created when it is waited for. */
  #lastEnd: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;

  /** The number of tasks in flight. */
  get size(): number {
    return this.#tasks.size;
  }

  /** The tasks in flight, in the order in which they started. */
  list(): Due[] {
    return [...this.#tasks.values()];
  }

  /** Tracks a task until `work` resolves. `work` must not reject. */
  add(work: Promise<void>, task: Due): void {
    this.#tasks.set(work, task);
    void work.then(() => {
      this.#tasks.delete(work);
      if (this.size > 0) return;
      this.#lastEnd?.resolve();
      this.#lastEnd = null;
    });
  }

  /** The tasks in flight that match. The promises resolve when they end. */
  matching(matches: (task: Task) => boolean): Promise<void>[] {
    return [...this.#tasks].filter(([, { value }]) => matches(value)).map(([work]) => work);
  }

  /** Resolves when no task is in flight, including tasks that start in the meantime. */
  async drained(): Promise<void> {
    while (this.size > 0) {
      this.#lastEnd ??= resolvable();
      await this.#lastEnd.promise;
    }
  }
}

function resolvable() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}
