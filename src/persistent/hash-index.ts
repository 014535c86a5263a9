import type { Owner } from './owner.ts';

/** Bits of the hash that one level of branches uses. */
const BITS = 5;
const MASK = 2 ** BITS - 1;
/** Bits of a hash. Below the branches that use all of them, a leaf grows without a limit. */
const HASH_BITS = 32;
/** The maximum length of a leaf: its owner, and 32 entries of two numbers. */
const MAX_LEAF = 1 + 2 * 32;

/** The owner, then the hash and the number of each entry. Flat, because most of the memory of an index is leaves. */
type Leaf = [owner: Owner, ...entries: number[]];
type Node = Branch | Leaf;

/** The entries of an index at one moment. */
export type HashRoot = Node | undefined;

class Branch {
  readonly owner: Owner;
  readonly children: (Node | undefined)[];

  constructor(owner: Owner, children: (Node | undefined)[]) {
    this.owner = owner;
    this.children = children;
  }
}

/** Returns the hash of a key: FNV-1a, then mixed so that all bits of the key reach the bits of each level. */
export function hashKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) | 0;
}

/**
 * A persistent index from keys to numbers: a hash trie. It does not store the keys: `hasKey` says whether the thing that
 * a number stands for has a key.
 */
export class HashIndex {
  readonly #hasKey: (value: number, key: string) => boolean;
  #root: HashRoot;

  /** Starts with the entries of `root`. */
  constructor(hasKey: (value: number, key: string) => boolean, root: HashRoot) {
    this.#hasKey = hasKey;
    this.#root = root;
  }

  /** The entries. */
  get root(): HashRoot {
    return this.#root;
  }

  /** Returns the number of a key. */
  find(hash: number, key: string): number | undefined {
    let node = this.#root;
    for (let shift = 0; node instanceof Branch; shift += BITS) node = node.children[(hash >>> shift) & MASK];
    if (node === undefined) return undefined;
    for (let place = 1; place < node.length; place += 2) {
      if (node[place] !== hash) continue;
      const value = node[place + 1];
      if (value !== undefined && this.#hasKey(value, key)) return value;
    }
    return undefined;
  }

  /** Adds an entry. Its key must not have one. */
  add(hash: number, value: number, owner: Owner): void {
    this.#root = added(this.#root, { hash, value, owner }, 0);
  }

  /** Replaces the number of an entry. */
  replace(hash: number, before: number, after: number, owner: Owner): void {
    const leaf = this.#ownLeaf(hash, owner);
    leaf[placeOf(leaf, hash, before) + 1] = after;
  }

  /** Removes an entry. */
  remove(hash: number, value: number, owner: Owner): void {
    const leaf = this.#ownLeaf(hash, owner);
    const place = placeOf(leaf, hash, value);
    // The last entry takes the place: a leaf has no order.
    const [lastHash, lastValue] = leaf.splice(-2);
    if (place >= leaf.length) return;
    leaf[place] = lastHash ?? 0;
    leaf[place + 1] = lastValue ?? 0;
  }

  /** Returns the leaf of a hash, which has an entry of that hash, after copying what is shared. */
  #ownLeaf(hash: number, owner: Owner): Leaf {
    let parent: Branch | null = null;
    let node = this.#root;
    for (let shift = 0; ; shift += BITS) {
      if (node === undefined) throw new Error('the index has no entry of this hash');
      const own: Node = owned(node, owner);
      if (parent === null) this.#root = own;
      else parent.children[(hash >>> (shift - BITS)) & MASK] = own;
      if (!(own instanceof Branch)) return own;
      parent = own;
      node = own.children[(hash >>> shift) & MASK];
    }
  }
}

interface Entry {
  readonly hash: number;
  readonly value: number;
  readonly owner: Owner;
}

function added(node: Node | undefined, entry: Entry, shift: number): Node {
  const { hash, value, owner } = entry;
  if (node === undefined) return [owner, hash, value];
  const own = owned(node, owner);
  if (own instanceof Branch) {
    const place = (hash >>> shift) & MASK;
    own.children[place] = added(own.children[place], entry, shift + BITS);
    return own;
  }
  if (own.length < MAX_LEAF || shift >= HASH_BITS) {
    own.push(hash, value);
    return own;
  }
  let branch: Node = new Branch(owner, new Array<Node | undefined>(MASK + 1).fill(undefined));
  for (let place = 1; place < own.length; place += 2) {
    branch = added(branch, { hash: own[place] ?? 0, value: own[place + 1] ?? 0, owner }, shift);
  }
  return added(branch, entry, shift);
}

function owned(node: Node, owner: Owner): Node {
  if (node instanceof Branch) return node.owner === owner ? node : new Branch(owner, node.children.slice());
  if (node[0] === owner) return node;
  const [, ...entries] = node;
  return [owner, ...entries];
}

function placeOf(leaf: Leaf, hash: number, value: number): number {
  for (let place = 1; place < leaf.length; place += 2) {
    if (leaf[place] === hash && leaf[place + 1] === value) return place;
  }
  throw new Error('the index has no such entry');
}
