import { IndexedRows, type RowsSnapshot } from '../store/persistent/indexed-rows.ts';

interface Timer<T> {
  readonly key: string;
  readonly at: number;
  readonly order: number;
  readonly value: T;
}

interface Due<T> {
  readonly at: number;
  readonly value: T;
}

const INDEXING = {
  unique: [({ key }: { readonly key: string }) => key],
  groups: [
    {
      keyOf: () => '',
      compare: (a: Omit<Timer<unknown>, 'value'>, b: Omit<Timer<unknown>, 'value'>) =>
        a.at - b.at || a.order - b.order,
    },
  ],
};

export type TimersSnapshot<T> = RowsSnapshot<Timer<T>>;

/**
 * Values with a due time, in the order (due, `order`, added), at most one per key. Adding and taking are O(log n), and a
 * snapshot takes constant time.
 */
export class TimerQueue<T> {
  readonly #timers: IndexedRows<Timer<T>>;

  /** Starts with the values of a snapshot, by default without any. */
  constructor(from?: TimersSnapshot<T>) {
    this.#timers = new IndexedRows<Timer<T>>(INDEXING, from);
  }

  get size(): number {
    return this.#timers.size;
  }

  /** Takes a snapshot. Copies no timers. */
  snapshot(): TimersSnapshot<T> {
    return this.#timers.snapshot();
  }

  has(key: string): boolean {
    return this.#timers.find(0, key) !== undefined;
  }

  /** Replaces the pending value of the same key. `order` is its place among the values of that time. */
  set(key: string, at: number, value: T, order = 0): void {
    this.delete(key);
    this.#timers.insert({ key, at, order, value });
  }

  /** Cancels the pending value of this key. Does nothing if there is none. */
  delete(key: string): void {
    const sequence = this.#timers.find(0, key);
    if (sequence !== undefined) this.#timers.delete(sequence);
  }

  /** The pending values in the order in which they fall due. */
  *list(): Generator<Due<T>> {
    for (const { at, value } of this.#timers.list(0, '')) yield { at, value };
  }

  /** Whether a value that matches is due by `limit`. */
  isDue(limit: number, matches: (value: T) => boolean): boolean {
    for (const { at, value } of this.#timers.list(0, '')) {
      if (at > limit) return false;
      if (matches(value)) return true;
    }
    return false;
  }

  nextDue(): number | null {
    return this.#next()?.at ?? null;
  }

  /** Removes and returns the next value if it is due by `limit`; null otherwise. */
  takeDue(limit: number): Due<T> | null {
    const next = this.#next();
    if (next === undefined || next.at > limit) return null;
    this.delete(next.key);
    return { at: next.at, value: next.value };
  }

  #next(): Timer<T> | undefined {
    return this.#timers.list(0, '').at(0);
  }
}
