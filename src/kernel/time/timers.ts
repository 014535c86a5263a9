/** The heap is compacted when it holds more cancelled timers than pending ones plus this. */
const MAX_CANCELLED = 64;

interface Timer<T> {
  readonly key: string;
  readonly at: number;
  readonly order: number;
  readonly sequence: number;
  readonly value: T;
  cancelled: boolean;
}

/** Values with a due time, in the order (due, `order`, added), at most one per key. A binary heap: adding and taking are O(log n). */
export class TimerQueue<T> {
  readonly #heap: Timer<T>[] = [];
  readonly #byKey = new Map<string, Timer<T>>();
  #sequence = 0;

  /** The number of pending timers. */
  get size(): number {
    return this.#byKey.size;
  }

  /**
   * Adds a value that falls due at `at`. Replaces the pending value of the same key. `order` is its place among the
   * values of that time.
   */
  set(key: string, at: number, value: T, order = 0): void {
    this.delete(key);
    const timer: Timer<T> = { key, at, order, sequence: this.#sequence++, value, cancelled: false };
    this.#byKey.set(key, timer);
    this.#heap.push(timer);
    this.#siftUp(this.#heap.length - 1);
  }

  /** Cancels the pending value of this key. Does nothing if there is none. */
  delete(key: string): void {
    const timer = this.#byKey.get(key);
    if (timer === undefined) return;
    timer.cancelled = true;
    this.#byKey.delete(key);
    if (this.#heap.length > 2 * this.#byKey.size + MAX_CANCELLED) this.#dropCancelled();
  }

  /** The pending values in the order in which they fall due. */
  list(): { at: number; value: T }[] {
    const pending = [...this.#byKey.values()];
    return pending
      .sort((a, b) => a.at - b.at || a.order - b.order || a.sequence - b.sequence)
      .map(({ at, value }) => ({ at, value }));
  }

  /** The due time of the next value, or null when none is pending. */
  nextDue(): number | null {
    return this.#head()?.at ?? null;
  }

  /** Removes and returns the next value if it is due by `limit`; null otherwise. */
  takeDue(limit: number): { at: number; value: T } | null {
    const head = this.#head();
    if (head === undefined || head.at > limit) return null;
    this.#removeHead();
    this.#byKey.delete(head.key);
    return { at: head.at, value: head.value };
  }

  #head(): Timer<T> | undefined {
    while (this.#heap[0]?.cancelled === true) this.#removeHead();
    return this.#heap[0];
  }

  #dropCancelled(): void {
    const pending = this.#heap.splice(0).filter(timer => !timer.cancelled);
    for (const timer of pending) {
      this.#heap.push(timer);
      this.#siftUp(this.#heap.length - 1);
    }
  }

  #removeHead(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#siftDown(0);
  }

  #siftUp(start: number): void {
    for (let index = start; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  #siftDown(start: number): void {
    for (let index = start; ; ) {
      const left = 2 * index + 1;
      const child = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfBefore(child, index)) return;
      index = child;
    }
  }

  #isBefore(first: number, second: number): boolean {
    const [a, b] = [this.#heap[first], this.#heap[second]];
    if (a === undefined || b === undefined) return false;
    if (a.at !== b.at) return a.at < b.at;
    return a.order < b.order || (a.order === b.order && a.sequence < b.sequence);
  }

  #swapIfBefore(first: number, second: number): boolean {
    const [a, b] = [this.#heap[first], this.#heap[second]];
    if (a === undefined || b === undefined || !this.#isBefore(first, second)) return false;
    this.#heap[first] = b;
    this.#heap[second] = a;
    return true;
  }
}
