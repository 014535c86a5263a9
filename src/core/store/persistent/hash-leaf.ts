import type { Owner } from './owner.ts';

/** The index of the first entry: before it is the owner of the leaf. */
export const HEAD = 1;
/** The length at which a leaf is divided: with 64 entries of two numbers. */
const MAX_LEAF = HEAD + 2 * 64;
/** How much longer a leaf without room becomes: by half of its entries, at least 4. */
const growthOf = (leaf: Leaf) => Math.max(2 * 4, 4 * (leaf.length >> 3));

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

/** Returns a copy of a leaf with one more entry. */
export function withEntry(leaf: Leaf | undefined, hash: number, value: number, owner: Owner): Leaf {
  if (leaf === undefined) return [owner, hash, value];
  const copy = copied(leaf, owner, hasRoom(leaf) ? 0 : growthOf(leaf));
  append(copy, hash, value);
  return copy;
}

/** Copies a leaf. */
export function copied(leaf: Leaf, owner: Owner, growth = 0): Leaf {
  const copy = newLeaf(leaf.length + growth, owner);
  for (let index = HEAD; index < copy.length; index++) copy[index] = leaf[index] ?? 0;
  return copy;
}

/** Divides the entries of a full leaf by a bit of their hashes: those without it, and those with it. */
export function divided(leaf: Leaf, bit: number, owner: Owner): readonly [Leaf, Leaf] {
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

/** Replaces the number of an entry. */
export function replaceIn(leaf: Leaf, hash: number, before: number, after: number): void {
  leaf[placeOf(leaf, hash, before) + 1] = after;
}

/** Removes an entry. */
export function removeFrom(leaf: Leaf, hash: number, value: number): void {
  const place = placeOf(leaf, hash, value);
  const last = endOf(leaf) - 2;
  // The last entry takes the place: a leaf has no order.
  leaf[place] = leaf[last] ?? 0;
  leaf[place + 1] = leaf[last + 1] ?? 0;
  leaf[last] = 0;
  leaf[last + 1] = 0;
}

/** Returns the index after the last entry of a leaf. */
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
