import { HashIndex, type HashRoot, hashKey } from './hash-index.ts';
import { OrderedTrees } from './ordered-tree.ts';
import { newOwner, type Owner } from './owner.ts';
import { RowList } from './row-list.ts';
import { SparseList } from './sparse-list.ts';
import { EMPTY, firstOf, sizeOf, type TreeNode } from './tree-node.ts';

/** Returns the key of a row in an index, or null when it is not in the index. */
export type KeyOf<R> = (row: R) => string | null;

/** A group: a list of rows for each key. */
export interface Grouping<R> {
  readonly keyOf: KeyOf<R>;
  /** The order of the lists; that of creation among equal rows, and by default. */
  readonly compare?: ((a: R, b: R) => number) | undefined;
}

/** How rows are indexed. */
export interface Indexing<R> {
  /** Unique keys. The first is the id. */
  readonly unique: readonly KeyOf<R>[];
  readonly groups: readonly Grouping<R>[];
  /** The time by which lists can be limited. */
  readonly timeOf?: ((row: R) => number) | undefined;
}

/** The rows and indexes at one moment. */
export interface RowsSnapshot<R> {
  readonly rows: SparseList<R>;
  readonly unique: readonly HashRoot[];
  readonly groups: readonly HashRoot[];
  readonly lists: SparseList<TreeNode>;
  readonly nextSequence: number;
  readonly nextList: number;
  readonly size: number;
}

/**
 * Rows in the order of creation, with their indexes. Each row has a sequence number, which the indexes hold instead of
 * the row. A snapshot takes constant time; a write after it copies the nodes on its way, and no others.
 */
export class IndexedRows<R> {
  readonly #indexing: Indexing<R>;
  readonly #rows: SparseList<R>;
  readonly #unique: readonly HashIndex[];
  /** By key of a group: the only row of its list, or the complement (`~`) of its number in `#lists`. */
  readonly #groups: readonly HashIndex[];
  readonly #lists: SparseList<TreeNode>;
  readonly #trees: readonly OrderedTrees[];
  #owner: Owner = newOwner();
  #nextSequence = 1;
  #nextList = 0;
  #size = 0;
  /** The last snapshot, until the next write. */
  #snapshot: RowsSnapshot<R> | null = null;

  /** No rows, or those of a snapshot of rows that are indexed in the same way. */
  constructor(indexing: Indexing<R>, from?: RowsSnapshot<R>) {
    this.#indexing = indexing;
    this.#rows = new SparseList(from?.rows);
    this.#lists = new SparseList(from?.lists);
    const { unique, groups, timeOf } = indexing;
    this.#unique = unique.map(
      (keyOf, index) =>
        new HashIndex((sequence, key) => keyOf(this.at(sequence)) === key, from?.unique[index]),
    );
    this.#groups = groups.map(
      ({ keyOf }, index) =>
        new HashIndex((list, key) => keyOf(this.at(this.#first(list))) === key, from?.groups[index]),
    );
    const time = timeOf === undefined ? null : (sequence: number) => timeOf(this.at(sequence));
    this.#trees = groups.map(({ compare }) =>
      compare === undefined
        ? new OrderedTrees(null, time)
        : new OrderedTrees((a, b) => (a === b ? 0 : compare(this.at(a), this.at(b)) || a - b), time),
    );
    if (from === undefined) return;
    this.#nextSequence = from.nextSequence;
    this.#nextList = from.nextList;
    this.#size = from.size;
    this.#snapshot = from;
  }

  /** Takes a snapshot. Copies no nodes, and returns the last one until the next write. */
  snapshot(): RowsSnapshot<R> {
    if (this.#snapshot !== null) return this.#snapshot;
    // The nodes are shared from now on.
    this.#owner = newOwner();
    this.#snapshot = {
      rows: new SparseList(this.#rows),
      unique: this.#unique.map(({ root }) => root),
      groups: this.#groups.map(({ root }) => root),
      lists: new SparseList(this.#lists),
      nextSequence: this.#nextSequence,
      nextList: this.#nextList,
      size: this.#size,
    };
    return this.#snapshot;
  }

  /** The number of rows. */
  get size(): number {
    return this.#size;
  }

  /** The sequence number of the next row. Rows that were created earlier have lower ones. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** Returns the row with a sequence number that an index holds. */
  at(sequence: number): R {
    const row = this.#rows.get(sequence);
    if (row === undefined) throw new Error(`the table has no row ${sequence}`);
    return row;
  }

  /** Returns the sequence number of the row with a unique key. */
  find(index: number, key: string): number | undefined {
    return this.#unique[index]?.find(hashKey(key), key);
  }

  /** Returns the rows of a group. */
  list(group: number, key: string): RowList<R> {
    const [index, trees] = [this.#groups[group], this.#trees[group]];
    if (index === undefined || trees === undefined) throw new Error(`the table has no group ${group}`);
    const list = index.find(hashKey(key), key);
    const root = list === undefined ? EMPTY : list < 0 ? (this.#lists.get(~list) ?? EMPTY) : [list];
    return new RowList(this, trees, root);
  }

  /** All rows, in the order of creation. */
  values(): IterableIterator<R> {
    return this.#rows[Symbol.iterator]();
  }

  /** Returns the number of the first unique key of a row that a row other than `self` has, or null. */
  taken(row: R, self?: number): number | null {
    for (const [index, keyOf] of this.#indexing.unique.entries()) {
      const key = keyOf(row);
      const holder = key === null ? undefined : this.find(index, key);
      if (holder !== undefined && holder !== self) return index;
    }
    return null;
  }

  /** Adds a row, whose unique keys must not be taken. */
  insert(row: R): void {
    const sequence = this.#nextSequence++;
    this.#snapshot = null;
    this.#rows.set(sequence, row, this.#owner);
    this.#size += 1;
    for (const [index, keyOf] of this.#indexing.unique.entries()) this.#claim(index, keyOf(row), sequence);
    for (const [group, { keyOf }] of this.#indexing.groups.entries()) this.#join(group, keyOf(row), sequence);
  }

  /** Replaces a row, whose unique keys must not be taken by others. It keeps its place in the order of creation. */
  replace(sequence: number, row: R): void {
    const { unique, groups, timeOf } = this.#indexing;
    const before = this.at(sequence);
    const isMoved = timeOf !== undefined && timeOf(before) !== timeOf(row);
    const changedKeys: (readonly [index: number, key: string | null])[] = [];
    for (const [index, keyOf] of unique.entries()) {
      const [old, key] = [keyOf(before), keyOf(row)];
      if (old === key) continue;
      this.#release(index, old, sequence);
      changedKeys.push([index, key]);
    }
    const changedGroups: (readonly [group: number, key: string | null])[] = [];
    // The lists are found and ordered by their rows, so the row has to leave them before it changes.
    for (const [group, { keyOf, compare }] of groups.entries()) {
      const [old, key] = [keyOf(before), keyOf(row)];
      if (old === key && !isMoved && (compare === undefined || compare(before, row) === 0)) continue;
      this.#leave(group, old, sequence);
      changedGroups.push([group, key]);
    }
    this.#snapshot = null;
    this.#rows.set(sequence, row, this.#owner);
    for (const [index, key] of changedKeys) this.#claim(index, key, sequence);
    for (const [group, key] of changedGroups) this.#join(group, key, sequence);
  }

  /** Removes a row. */
  delete(sequence: number): void {
    const row = this.at(sequence);
    for (const [index, keyOf] of this.#indexing.unique.entries()) this.#release(index, keyOf(row), sequence);
    for (const [group, { keyOf }] of this.#indexing.groups.entries())
      this.#leave(group, keyOf(row), sequence);
    this.#snapshot = null;
    this.#rows.delete(sequence, this.#owner);
    this.#size -= 1;
  }

  #claim(index: number, key: string | null, sequence: number): void {
    if (key !== null) this.#unique[index]?.add(hashKey(key), sequence, this.#owner);
  }

  #release(index: number, key: string | null, sequence: number): void {
    if (key !== null) this.#unique[index]?.remove(hashKey(key), sequence, this.#owner);
  }

  #join(group: number, key: string | null, sequence: number): void {
    const [index, trees] = [this.#groups[group], this.#trees[group]];
    if (key === null || index === undefined || trees === undefined) return;
    const hash = hashKey(key);
    const list = index.find(hash, key);
    if (list === undefined) {
      index.add(hash, sequence, this.#owner);
    } else if (list >= 0) {
      index.replace(hash, list, ~this.#nextList, this.#owner);
      this.#lists.set(this.#nextList++, trees.insert([list], sequence, this.#owner), this.#owner);
    } else {
      const root = this.#lists.get(~list) ?? EMPTY;
      const next = trees.insert(root, sequence, this.#owner);
      if (next !== root) this.#lists.set(~list, next, this.#owner);
    }
  }

  #leave(group: number, key: string | null, sequence: number): void {
    const [index, trees] = [this.#groups[group], this.#trees[group]];
    if (key === null || index === undefined || trees === undefined) return;
    const hash = hashKey(key);
    const list = index.find(hash, key);
    if (list === undefined) return;
    if (list >= 0) {
      index.remove(hash, list, this.#owner);
      return;
    }
    const rest = trees.remove(this.#lists.get(~list) ?? EMPTY, sequence, this.#owner);
    if (sizeOf(rest) > 1) this.#lists.set(~list, rest, this.#owner);
    else {
      index.replace(hash, list, firstOf(rest) ?? 0, this.#owner);
      this.#lists.delete(~list, this.#owner);
    }
  }

  #first(list: number): number {
    return list < 0 ? (firstOf(this.#lists.get(~list) ?? EMPTY) ?? 0) : list;
  }
}
