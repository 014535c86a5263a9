/** An item of a list, and how many items had been removed before it: infinite until it is removed. */
export interface Item<T> {
  readonly value: T;
  removedAt: number;
}

/** A list at one moment: those of the first `length` items that had not been removed when `removed` others had. */
export interface ListMark<T> {
  readonly items: readonly Item<T>[];
  readonly length: number;
  readonly removed: number;
}

const NONE: ListMark<never> = { items: [], length: 0, removed: 0 };
/** How many removed items are kept besides as many as are in the list, so that they are seldom left out. */
const MAX_REMOVED = 64;

/** A list whose items stay for a short time, in the order in which they were added. To mark it takes constant time. */
export class MarkedList<T> {
  /** Some removed items are among them. Marks share the array, so it only grows, until another takes its place. */
  #items: Item<T>[] = [];
  #size = 0;
  #removed = 0;

  /** The number of items. */
  get size(): number {
    return this.#size;
  }

  /** Adds an item at the end. Returns what removes it. */
  add(value: T): Item<T> {
    if (this.#items.length > 2 * this.#size + MAX_REMOVED) {
      this.#items = this.#items.filter(({ removedAt }) => removedAt === Number.POSITIVE_INFINITY);
    }
    const item = { value, removedAt: Number.POSITIVE_INFINITY };
    this.#items.push(item);
    this.#size += 1;
    return item;
  }

  /** Removes an item, once. */
  remove(item: Item<T>): void {
    item.removedAt = this.#removed++;
    this.#size -= 1;
  }

  /** Takes note of the list as it is now. Copies nothing. */
  mark(): ListMark<T> {
    return this.#size === 0
      ? NONE
      : { items: this.#items, length: this.#items.length, removed: this.#removed };
  }
}

/** Returns the values of a list at a mark. */
export function valuesAt<T>({ items, length, removed }: ListMark<T>): T[] {
  return items.slice(0, length).flatMap(({ value, removedAt }) => (removedAt < removed ? [] : [value]));
}
