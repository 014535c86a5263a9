import type { Owner } from './owner.ts';

/** Bits of the hash that one level of branches uses. */
const BITS = 4;
const MASK = 2 ** BITS - 1;
/** Bits of a hash. Below the branches that use all of them, a leaf grows without a limit. */
const HASH_BITS = 32;
/** The maximum length of a leaf: its owner, and 64 entries of two numbers. */
const MAX_LEAF = 1 + 2 * 64;
/** How much longer a full leaf becomes: by 4 entries, since an array that grows by itself takes room for many more. */
const GROWTH = 2 * 4;

/**
 * The owner, then the hash and the number of each entry, then zeros: no number is 0. Flat, because most of the memory of
 * an index is leaves.
 */
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
      if (value !== undefined && value !== 0 && this.#hasKey(value, key)) return value;
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
    const last = endOf(leaf) - 2;
    // The last entry takes the place: a leaf has no order.
    leaf[place] = leaf[last] ?? 0;
    leaf[place + 1] = leaf[last + 1] ?? 0;
    leaf[last] = 0;
    leaf[last + 1] = 0;
  }

  /** Returns the leaf of a hash, which has an entry of that hash, after copying what is shared. */
  #ownLeaf(hash: number, owner: Owner): Leaf {
    let parent: Branch | null = null;
    let node = this.#root;
    for (let shift = 0; ; shift += BITS) {
      if (node === undefined) throw new Error('the index has no entry of this hash');
      const own: Node = node instanceof Branch ? ownedBranch(node, owner) : ownedLeaf(node, owner);
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
  if (node instanceof Branch) {
    const own = ownedBranch(node, owner);
    const place = (hash >>> shift) & MASK;
    own.children[place] = added(own.children[place], entry, shift + BITS);
    return own;
  }
  const end = endOf(node);
  if (end < MAX_LEAF || shift >= HASH_BITS) {
    const own =
      node[0] === owner && end < node.length ? node : copied(node, owner, end < node.length ? 0 : GROWTH);
    own[end] = hash;
    own[end + 1] = value;
    return own;
  }
  let branch: Node = new Branch(owner, new Array<Node | undefined>(MASK + 1).fill(undefined));
  for (let place = 1; place < end; place += 2) {
    branch = added(branch, { hash: node[place] ?? 0, value: node[place + 1] ?? 0, owner }, shift);
  }
  return added(branch, entry, shift);
}

function ownedBranch(branch: Branch, owner: Owner): Branch {
  return branch.owner === owner ? branch : new Branch(owner, branch.children.slice());
}

function ownedLeaf(leaf: Leaf, owner: Owner): Leaf {
  return leaf[0] === owner ? leaf : copied(leaf, owner, 0);
}

/** Copies a leaf, with zeros at the end. */
function copied(leaf: Leaf, owner: Owner, growth: number): Leaf {
  // A leaf has at least its owner.
  const copy = new Array<number>(leaf.length + growth) as Leaf;
  copy[0] = owner;
  for (let place = 1; place < copy.length; place++) copy[place] = leaf[place] ?? 0;
  return copy;
}

/** Returns the index after the last entry of a leaf. */
function endOf(leaf: Leaf): number {
  let end = leaf.length;
  while (end > 1 && leaf[end - 1] === 0) end -= 2;
  return end;
}

function placeOf(leaf: Leaf, hash: number, value: number): number {
  for (let place = 1; place < leaf.length; place += 2) {
    if (leaf[place] === hash && leaf[place + 1] === value) return place;
  }
  throw new Error('the index has no such entry');
}
