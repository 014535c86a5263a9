import {
  append,
  copyLeaf,
  Directory,
  HEAD,
  hasRoom,
  isFull,
  type Leaf,
  removeFrom,
  replaceIn,
  withEntry,
} from './hash-directory.ts';
import type { Owner } from './owner.ts';

/** The entries of an index at one moment. The few of a small one are a leaf. */
export type HashRoot = Directory | Leaf | undefined;

/** Returns the hash of a key: FNV-1a, then mixed so that all bits of the key reach the first bits. */
export function hashKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) | 0;
}

/**
 * A persistent index from keys to numbers, by extendible hashing: few steps lead to a leaf, since each is another place in
 * memory to wait for. It does not store the keys.
 */
export abstract class HashIndex {
  #root: HashRoot;

  constructor(root: HashRoot) {
    this.#root = root;
  }

  /** Whether the thing that a number stands for has a key. */
  protected abstract hasKey(value: number, key: string): boolean;

  get root(): HashRoot {
    return this.#root;
  }

  find(hash: number, key: string): number | undefined {
    const leaf = this.#leafOf(hash);
    if (leaf === undefined) return undefined;
    for (let place = HEAD; place < leaf.length; place += 2) {
      if (leaf[place] !== hash) continue;
      const value = leaf[place + 1];
      if (value !== undefined && value !== 0 && this.hasKey(value, key)) return value;
    }
    return undefined;
  }

  /** Adds an entry. Its key must not have one. */
  add(hash: number, value: number, owner: Owner): void {
    let leaf = this.#leafOf(hash);
    // Keys whose hashes are alike would need a directory that is larger than the table: their leaf grows without a limit.
    while (leaf !== undefined && isFull(leaf) && this.#divide(hash, value, owner)) leaf = this.#leafOf(hash);
    if (leaf !== undefined && hasRoom(leaf) && leaf[0] === owner) append(leaf, hash, value);
    else this.#put(hash, withEntry(leaf, hash, value, owner), owner);
  }

  replace(hash: number, before: number, after: number, owner: Owner): void {
    replaceIn(this.#ownLeaf(hash, owner), hash, before, after);
  }

  remove(hash: number, value: number, owner: Owner): void {
    removeFrom(this.#ownLeaf(hash, owner), hash, value);
  }

  #leafOf(hash: number): Leaf | undefined {
    const root = this.#root;
    return root instanceof Directory ? root.leafOf(hash) : root;
  }

  /** Returns the leaf of a hash, which has an entry of that hash, after copying what is shared. */
  #ownLeaf(hash: number, owner: Owner): Leaf {
    const leaf = this.#leafOf(hash);
    if (leaf === undefined) throw new Error('the index has no entry of this hash');
    if (leaf[0] === owner) return leaf;
    const copy = copyLeaf(leaf, owner);
    this.#put(hash, copy, owner);
    return copy;
  }

  #put(hash: number, leaf: Leaf, owner: Owner): void {
    if (!(this.#root instanceof Directory)) {
      this.#root = leaf;
      return;
    }
    const directory = this.#root.ownedBy(owner);
    directory.put(hash, leaf, owner);
    this.#root = directory;
  }

  /** Divides the leaf of a hash. Returns whether the directory stays within a size. */
  #divide(hash: number, maxSize: number, owner: Owner): boolean {
    const root = this.#root;
    if (root === undefined) return false;
    const directory =
      root instanceof Directory
        ? root.ownedBy(owner).divide(hash, maxSize, owner)
        : Directory.of(root, owner);
    if (directory !== null) this.#root = directory;
    return directory !== null;
  }
}
