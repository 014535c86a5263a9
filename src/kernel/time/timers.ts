/** How many called-off timers may stay in the heap, besides as many as there are live ones. */
const MOST_CANCELLED = 64;

interface Timer<T> {
  readonly key: string;
  readonly at: number;
  readonly sequence: number;
  readonly value: T;
  cancelled: boolean;
}

/**
 * What is to happen later, in the order (due, added), at most one thing under a key. A binary heap: adding
 * and taking cost O(log n).
 */
export class TimerQueue<T> {
  readonly #heap: Timer<T>[] = [];
  readonly #byKey = new Map<string, Timer<T>>();
  #sequence = 0;

  /** How many are still to come. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Adds a value that falls due `at`, in place of the one that was to come under the same key. */
  set(key: string, at: number, value: T): void {
    this.delete(key);
    const timer: Timer<T> = { key, at, sequence: this.#sequence++, value, cancelled: false };
    this.#byKey.set(key, timer);
    this.#heap.push(timer);
    this.#siftUp(this.#heap.length - 1);
  }

  /** Calls off what was to come under this key, if anything was. */
  delete(key: string): void {
    const timer = this.#byKey.get(key);
    if (timer === undefined) return;
    timer.cancelled = true;
    this.#byKey.delete(key);
    if (this.#heap.length > 2 * this.#byKey.size + MOST_CANCELLED) this.#dropCancelled();
  }

  /** All that is still to come, in the order in which it will be taken. */
  list(): { at: number; value: T }[] {
    const live = [...this.#byKey.values()];
    return live
      .sort((a, b) => a.at - b.at || a.sequence - b.sequence)
      .map(({ at, value }) => ({ at, value }));
  }

  /** When the next one falls due; null when none is to come. */
  nextDue(): number | null {
    return this.#head()?.at ?? null;
  }

  /** Takes out the next one that falls due at `limit` or before; null when there is none. */
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
    const live = this.#heap.splice(0).filter(timer => !timer.cancelled);
    for (const timer of live) {
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
    return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
  }

  #swapIfBefore(first: number, second: number): boolean {
    const [a, b] = [this.#heap[first], this.#heap[second]];
    if (a === undefined || b === undefined || !this.#isBefore(first, second)) return false;
    this.#heap[first] = b;
    this.#heap[second] = a;
    return true;
  }
}
