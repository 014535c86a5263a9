import { IndexedRows, type RowsSnapshot } from '../store/persistent/indexed-rows.ts';

/** Scheduled work: `kind` names the code, `ref` the record. Plain data, so that a state document can hold it. */
export interface Task {
  readonly kind: string;
  readonly ref: string;
}

/** A task and its due time in milliseconds. */
export interface Due {
  readonly at: number;
  readonly value: Task;
}

interface Timer extends Due {
  readonly key: string;
  readonly order: number;
}

const INDEXING = {
  unique: [({ key }: Timer) => key],
  groups: [{ keyOf: () => '', compare: (a: Timer, b: Timer) => a.at - b.at || a.order - b.order }],
};

export type TimersSnapshot = RowsSnapshot<Timer>;

/** The identity of a task. Scheduling a task replaces the pending task with the same key. */
export function keyOf({ kind, ref }: Task): string {
  return `${kind} ${ref}`;
}

/**
 * Tasks with a due time, in the order (due, `order`, added), at most one per key. Adding and taking are O(log n), and a
 * snapshot takes constant time.
 */
export class TimerQueue {
  readonly #timers: IndexedRows<Timer>;

  /** Starts with the tasks of a snapshot, by default without any. */
  constructor(from?: TimersSnapshot) {
    this.#timers = new IndexedRows<Timer>(INDEXING, from);
  }

  get size(): number {
    return this.#timers.size;
  }

  /** Takes a snapshot. Copies no timers. */
  snapshot(): TimersSnapshot {
    return this.#timers.snapshot();
  }

  has(task: Task): boolean {
    return this.#timers.find(0, keyOf(task)) !== undefined;
  }

  /** Replaces the pending task of the same key. `order` is its place among the tasks of that time. */
  set(at: number, value: Task, order: number): void {
    this.delete(value);
    this.#timers.insert({ key: keyOf(value), at, order, value });
  }

  /** Cancels a task, if it is pending. */
  delete(task: Task): void {
    const sequence = this.#timers.find(0, keyOf(task));
    if (sequence !== undefined) this.#timers.delete(sequence);
  }

  /** The pending tasks in the order in which they fall due. */
  *list(): Generator<Due> {
    for (const { at, value } of this.#timers.list(0, '')) yield { at, value };
  }

  nextDue(): number | null {
    return this.#next()?.at ?? null;
  }

  /** Removes and returns the next task if it is due by `limit`; null otherwise. */
  takeDue(limit: number): Due | null {
    const next = this.#next();
    if (next === undefined || next.at > limit) return null;
    this.delete(next.value);
    return { at: next.at, value: next.value };
  }

  #next(): Timer | undefined {
    return this.#timers.list(0, '').at(0);
  }
}
