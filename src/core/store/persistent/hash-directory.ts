import type { Owner } from './owner.ts';

const HASH_BITS = 32;
const CHUNK_BITS = 8;
const CHUNK = 2 ** CHUNK_BITS;

/**
 * The leaves of a hash index by the first bits of the hash, in chunks. A leaf whose hashes share fewer bits is there
 * several times in a row.
 */
export class Directory {
  readonly owner: Owner;
  readonly #depth: number;
  readonly #chunks: Leaf[][];
  readonly #owners: Owner[];

  private constructor(owner: Owner, depth: number, chunks: Leaf[][], owners: Owner[]) {
    this.owner = owner;
    this.#depth = depth;
    this.#chunks = chunks;
    this.#owners = owners;
  }

  static of(leaf: Leaf, owner: Owner): Directory {
    return new Directory(owner, 1, [[...divideLeaf(leaf, 1 << (HASH_BITS - 1), owner)]], [owner]);
  }

  leafOf(hash: number): Leaf | undefined {
    return this.#at(hash >>> (HASH_BITS - this.#depth));
  }

  /** Returns a directory that `owner` may change: this one, or a copy. */
  ownedBy(owner: Owner): Directory {
    return this.owner === owner
      ? this
      : new Directory(owner, this.#depth, this.#chunks.slice(), this.#owners.slice());
  }

  /** Replaces the leaf of a hash. The owner must own the directory. */
  put(hash: number, leaf: Leaf, owner: Owner): void {
    const [start, end] = this.#rangeOf(hash);
    this.#fill(start, end, leaf, owner);
  }

  /**
   * Divides the leaf of a hash. Returns the directory, or a larger one if need be; null, and divides nothing, when that
   * would be larger than `maxSize`. The owner must own the directory.
   */
  divide(hash: number, maxSize: number, owner: Owner): Directory | null {
    const [start, end] = this.#rangeOf(hash);
    const leaf = this.#at(start);
    if (leaf === undefined) return null;
    if (end - start === 1) {
      return 2 ** (this.#depth + 1) > maxSize ? null : this.#double(owner).divide(hash, maxSize, owner);
    }
    const middle = (start + end) / 2;
    // The first bit in which the two halves differ.
    const bit = (end - start) << (HASH_BITS - this.#depth - 1);
    const [left, right] = divideLeaf(leaf, bit, owner);
    this.#fill(start, middle, left, owner);
    this.#fill(middle, end, right, owner);
    return this;
  }

  #double(owner: Owner): Directory {
    const depth = this.#depth + 1;
    const chunks = Array.from({ length: Math.ceil(2 ** depth / CHUNK) }, (_, number) => {
      const chunk = new Array<Leaf>(Math.min(CHUNK, 2 ** depth));
      for (let place = 0; place < chunk.length; place++) {
        chunk[place] = this.#at((number * CHUNK + place) >>> 1) ?? [];
      }
      return chunk;
    });
    return new Directory(
      owner,
      depth,
      chunks,
      chunks.map(() => owner),
    );
  }

  #at(index: number): Leaf | undefined {
    return this.#chunks[index >>> CHUNK_BITS]?.[index % CHUNK];
  }

  /** Returns the indexes, from `start` to before `end`, that share so many bits with a hash that its leaf is at all of them. */
  #rangeOf(hash: number): readonly [start: number, end: number] {
    const index = hash >>> (HASH_BITS - this.#depth);
    const leaf = this.#at(index);
    let [start, size] = [index, 1];
    const isLeafAt = (from: number) => {
      for (let other = from; other < from + size; other++) if (this.#at(other) !== leaf) return false;
      return true;
    };
    // Its other half comes after or before it.
    while (isLeafAt(start ^ size)) {
      start &= ~size;
      size *= 2;
    }
    return [start, start + size];
  }

  #fill(start: number, end: number, leaf: Leaf, owner: Owner): void {
    for (let index = start; index < end; index++) {
      const number = index >>> CHUNK_BITS;
      let chunk = this.#chunks[number] ?? [];
      if (this.#owners[number] !== owner) {
        chunk = chunk.slice();
        this.#chunks[number] = chunk;
        this.#owners[number] = owner;
      }
      chunk[index % CHUNK] = leaf;
    }
  }
}

/** The index of the first entry: before it is the owner of the leaf. */
export const HEAD = 1;
/** The length at which a leaf is divided: with 64 entries of two numbers. */
const MAX_LEAF = HEAD + 2 * 64;
/** How much longer a leaf without room becomes: by a quarter of its entries, at least 4. */
const growthOf = (leaf: Leaf) => Math.max(2 * 4, 2 * (leaf.length >> 3));

/**
 * Entries of a hash index: the owner, then the hash and the number of each, then zeros, since no number is 0. Flat, because
 * most of the memory of an index is leaves.
 */
export type Leaf = number[];

/** Whether a leaf has to be divided before it gets another entry. */
export function isFull(leaf: Leaf): boolean {
  return leaf.length >= MAX_LEAF && !hasRoom(leaf);
}

/** Whether an entry can be added without a longer leaf. */
export function hasRoom(leaf: Leaf): boolean {
  return leaf.length > HEAD && leaf[leaf.length - 1] === 0;
}

/** Adds an entry to a leaf that has room. */
export function append(leaf: Leaf, hash: number, value: number): void {
  const end = endOf(leaf);
  leaf[end] = hash;
  leaf[end + 1] = value;
}

export function withEntry(leaf: Leaf | undefined, hash: number, value: number, owner: Owner): Leaf {
  if (leaf === undefined) return [owner, hash, value];
  const copy = copyLeaf(leaf, owner, hasRoom(leaf) ? 0 : growthOf(leaf));
  append(copy, hash, value);
  return copy;
}

export function copyLeaf(leaf: Leaf, owner: Owner, growth = 0): Leaf {
  const copy = newLeaf(leaf.length + growth, owner);
  for (let index = HEAD; index < copy.length; index++) copy[index] = leaf[index] ?? 0;
  return copy;
}

/** Divides the entries of a full leaf by a bit of their hashes: those without it, and those with it. */
function divideLeaf(leaf: Leaf, bit: number, owner: Owner): readonly [Leaf, Leaf] {
  let length = HEAD;
  for (let index = HEAD; index < leaf.length; index += 2) if (((leaf[index] ?? 0) & bit) === 0) length += 2;
  const without = newLeaf(length, owner);
  const others = newLeaf(HEAD + leaf.length - length, owner);
  let [end, endOfOthers] = [HEAD, HEAD];
  for (let index = HEAD; index < leaf.length; index += 2) {
    const [hash = 0, value = 0] = [leaf[index], leaf[index + 1]];
    if ((hash & bit) === 0) {
      without[end++] = hash;
      without[end++] = value;
    } else {
      others[endOfOthers++] = hash;
      others[endOfOthers++] = value;
    }
  }
  return [without, others];
}

/** Returns a leaf of exactly a length, whose entries are to be set. */
function newLeaf(length: number, owner: Owner): Leaf {
  const leaf = new Array<number>(length);
  leaf[0] = owner;
  return leaf;
}

export function replaceIn(leaf: Leaf, hash: number, before: number, after: number): void {
  leaf[placeOf(leaf, hash, before) + 1] = after;
}

export function removeFrom(leaf: Leaf, hash: number, value: number): void {
  const place = placeOf(leaf, hash, value);
  const last = endOf(leaf) - 2;
  // The last entry takes the place: a leaf has no order.
  leaf[place] = leaf[last] ?? 0;
  leaf[place + 1] = leaf[last + 1] ?? 0;
  leaf[last] = 0;
  leaf[last + 1] = 0;
}

function endOf(leaf: Leaf): number {
  let end = leaf.length;
  while (end > HEAD && leaf[end - 1] === 0) end -= 2;
  return end;
}

function placeOf(leaf: Leaf, hash: number, value: number): number {
  for (let place = HEAD; place < leaf.length; place += 2) {
    if (leaf[place] === hash && leaf[place + 1] === value) return place;
  }
  throw new Error('the index has no such entry');
}
