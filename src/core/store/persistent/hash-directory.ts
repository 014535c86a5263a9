import { divided, type Leaf } from './hash-leaf.ts';
import type { Owner } from './owner.ts';

const HASH_BITS = 32;
/** Bits of the index of a leaf in its chunk. */
const CHUNK_BITS = 8;
const CHUNK = 2 ** CHUNK_BITS;

/**
 * The leaves of a hash index by the first bits of the hash, in chunks. A leaf whose hashes share fewer bits is there
 * several times in a row.
 */
export class Directory {
  readonly owner: Owner;
  /** The number of bits. */
  readonly #depth: number;
  readonly #chunks: Leaf[][];
  /** The owner of each chunk. */
  readonly #owners: Owner[];

  private constructor(owner: Owner, depth: number, chunks: Leaf[][], owners: Owner[]) {
    this.owner = owner;
    this.#depth = depth;
    this.#chunks = chunks;
    this.#owners = owners;
  }

  /** Returns a directory with the entries of a leaf. */
  static of(leaf: Leaf, owner: Owner): Directory {
    return new Directory(owner, 1, [[...divided(leaf, 1 << (HASH_BITS - 1), owner)]], [owner]);
  }

  /** Returns the leaf of a hash. */
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
  divided(hash: number, maxSize: number, owner: Owner): Directory | null {
    const [start, end] = this.#rangeOf(hash);
    const leaf = this.#at(start);
    if (leaf === undefined) return null;
    if (end - start === 1) {
      return 2 ** (this.#depth + 1) > maxSize ? null : this.#doubled(owner).divided(hash, maxSize, owner);
    }
    const middle = (start + end) / 2;
    // The first bit in which the two halves differ.
    const bit = (end - start) << (HASH_BITS - this.#depth - 1);
    const [left, right] = divided(leaf, bit, owner);
    this.#fill(start, middle, left, owner);
    this.#fill(middle, end, right, owner);
    return this;
  }

  /** Returns a directory with one bit more. */
  #doubled(owner: Owner): Directory {
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
