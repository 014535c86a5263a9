/** The number of items in a chunk. A list keeps at most this many more than it returns. */
const CHUNK_LENGTH = 64;

/** A list at one moment: the items of the chunks, of the last of them only the first `length`. */
export interface NewestSnapshot<T> {
  readonly chunks: readonly (readonly T[])[];
  readonly length: number;
}

/** A list that keeps its newest items. A snapshot takes constant time. */
export class NewestList<T> {
  readonly #max: number;
  /** All are full but the last. Snapshots share them, so the last one only grows, until another takes its place. */
  #chunks: readonly T[][] = [[]];

  /** `max` is how many items it returns. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Adds an item at the end. */
  push(item: T): void {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.length < CHUNK_LENGTH) last.push(item);
    else this.#begin(item);
  }

  /** Takes a snapshot. Copies nothing. */
  snapshot(): NewestSnapshot<T> {
    return { chunks: this.#chunks, length: this.#chunks.at(-1)?.length ?? 0 };
  }

  /** Replaces all items. */
  replace(items: Iterable<T>): void {
    this.#chunks = [[]];
    for (const item of items) this.push(item);
  }

  /** The newest items, oldest first. */
  items(): T[] {
    return this.#chunks.flat().slice(-this.#max);
  }

  /** Begins a chunk with an item. Drops the oldest one when there are enough items without it. */
  #begin(item: T): void {
    const isLong = (this.#chunks.length - 1) * CHUNK_LENGTH >= this.#max;
    this.#chunks = [...this.#chunks.slice(isLong ? 1 : 0), [item]];
  }
}

/** Returns the items of a snapshot, oldest first. */
export function itemsOf<T>({ chunks, length }: NewestSnapshot<T>): T[] {
  return [...chunks.slice(0, -1).flat(), ...(chunks.at(-1) ?? []).slice(0, length)];
}
