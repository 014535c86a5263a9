import { GroupIndex, type Grouping } from './group-index.ts';
import { HashIndex, type HashRoot, hashKey } from './hash-index.ts';
import { type ListsSnapshot, NumberedLists } from './numbered-lists.ts';
import { OrderedTrees } from './ordered-tree.ts';
import { Owner } from './owner.ts';
import type { RowList } from './row-list.ts';
import { SparseList } from './sparse-list.ts';

/** Returns the key of a row in an index, or null when it is not in the index. */
export type KeyOf<R> = (row: R) => string | null;

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
  readonly lists: ListsSnapshot;
  readonly nextSequence: number;
  readonly size: number;
}

/** The sequence numbers of rows by a unique key. */
class UniqueIndex<R> extends HashIndex {
  readonly keyOf: KeyOf<R>;
  readonly #rows: SparseList<R>;

  constructor(keyOf: KeyOf<R>, rows: SparseList<R>, root: HashRoot) {
    super(root);
    this.keyOf = keyOf;
    this.#rows = rows;
  }

  protected override hasKey(sequence: number, key: string): boolean {
    const row = this.#rows.get(sequence);
    return row !== undefined && this.keyOf(row) === key;
  }

  protected override get isUnique(): boolean {
    return true;
  }
}

/**
 * Rows in the order of creation, with their indexes. Each row has a sequence number, which the indexes hold instead of
 * the row. A snapshot takes constant time; a write after it copies the nodes on its way, and no others.
 */
export class IndexedRows<R> {
  readonly #timeOf: ((row: R) => number) | undefined;
  readonly #rows: SparseList<R>;
  readonly #unique: readonly UniqueIndex<R>[];
  readonly #groups: readonly GroupIndex<R>[];
  readonly #lists: NumberedLists;
  #owner = Owner.first();
  #nextSequence: number;
  #size: number;
  /** The last snapshot, until the next write. */
  #snapshot: RowsSnapshot<R> | null;

  /** No rows, or those of a snapshot of rows that are indexed in the same way. */
  constructor({ unique, groups, timeOf }: Indexing<R>, from?: RowsSnapshot<R>) {
    this.#timeOf = timeOf;
    this.#rows = new SparseList(from?.rows);
    this.#unique = unique.map((keyOf, index) => new UniqueIndex(keyOf, this.#rows, from?.unique[index]));
    this.#lists = new NumberedLists(from?.lists);
    const timeAt = timeOf === undefined ? null : (sequence: number) => timeOf(this.at(sequence));
    const trees = new OrderedTrees(null, timeAt);
    const context = { rows: this, lists: this.#lists, trees, timeOf: timeAt };
    this.#groups = groups.map((group, index) => new GroupIndex(group, context, from?.groups[index]));
    this.#nextSequence = from?.nextSequence ?? 1;
    this.#size = from?.size ?? 0;
    this.#snapshot = from ?? null;
  }

  /**
   * Takes a snapshot. Copies no nodes, and returns the last one until the next write. A brief snapshot costs later writes
   * less, but it holds on to what they add to the indexes.
   */
  snapshot(isBrief = false): RowsSnapshot<R> {
    // The nodes are shared from now on.
    this.#owner = isBrief ? this.#owner.next() : Owner.first();
    this.#snapshot ??= {
      rows: new SparseList(this.#rows),
      unique: this.#unique.map(({ root }) => root),
      groups: this.#groups.map(({ root }) => root),
      lists: this.#lists.snapshot(),
      nextSequence: this.#nextSequence,
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
    const index = this.#groups[group];
    if (index === undefined) throw new Error(`the table has no group ${group}`);
    return index.list(key);
  }

  /** All rows, in the order of creation. */
  values(): IterableIterator<R> {
    return this.#rows[Symbol.iterator]();
  }

  /** Returns the number of the first unique key of a row that a row other than `self` has, or null. */
  taken(row: R, self?: number): number | null {
    for (const [number, index] of this.#unique.entries()) {
      const key = index.keyOf(row);
      const holder = key === null ? undefined : index.find(hashKey(key), key);
      if (holder !== undefined && holder !== self) return number;
    }
    return null;
  }

  /**
   * Adds a row. Returns its sequence number; or, if a unique key is taken, the complement (`~`) of the number of the first
   * such key, and adds nothing.
   */
  insert(row: R): number {
    const hashes: (number | null)[] = [];
    for (const index of this.#unique) {
      const key = index.keyOf(row);
      const hash = key === null ? null : hashKey(key);
      if (key !== null && hash !== null && index.find(hash, key) !== undefined) return ~hashes.length;
      hashes.push(hash);
    }
    const sequence = this.#nextSequence++;
    this.#add(sequence, row, hashes);
    return sequence;
  }

  /** Adds a row that was deleted, at its former place. Its unique keys must not be taken. */
  putBack(sequence: number, row: R): void {
    const hashOf = (key: string | null) => (key === null ? null : hashKey(key));
    this.#add(
      sequence,
      row,
      this.#unique.map(({ keyOf }) => hashOf(keyOf(row))),
    );
  }

  /** Replaces a row, whose unique keys must not be taken by others. It keeps its place in the order of creation. */
  replace(sequence: number, row: R): void {
    const before = this.at(sequence);
    const isMoved = this.#timeOf !== undefined && this.#timeOf(before) !== this.#timeOf(row);
    const unique = this.#unique.filter(({ keyOf }) => keyOf(before) !== keyOf(row));
    const groups = this.#groups.filter(group => isMoved || group.isMoved(before, row));
    // The lists are found and ordered by their rows, so the row has to leave them before it changes.
    for (const each of unique) this.#release(each, before, sequence);
    for (const group of groups) group.remove(before, sequence, this.#owner);
    this.#snapshot = null;
    this.#rows.set(sequence, row, this.#owner);
    for (const index of unique) {
      const key = index.keyOf(row);
      if (key !== null) index.add(hashKey(key), sequence, this.#owner);
    }
    for (const group of groups) group.add(row, sequence, this.#owner);
  }

  /** Removes a row. */
  delete(sequence: number): void {
    const row = this.at(sequence);
    for (const each of this.#unique) this.#release(each, row, sequence);
    for (const group of this.#groups) group.remove(row, sequence, this.#owner);
    this.#snapshot = null;
    this.#rows.delete(sequence, this.#owner);
    this.#size -= 1;
  }

  #add(sequence: number, row: R, hashes: readonly (number | null)[]): void {
    this.#snapshot = null;
    this.#rows.set(sequence, row, this.#owner);
    this.#size += 1;
    for (let number = 0; number < hashes.length; number++) {
      const hash = hashes[number] ?? null;
      if (hash !== null) this.#unique[number]?.add(hash, sequence, this.#owner);
    }
    for (const group of this.#groups) group.add(row, sequence, this.#owner);
  }

  #release(index: UniqueIndex<R>, row: R, sequence: number): void {
    const key = index.keyOf(row);
    if (key !== null) index.remove(hashKey(key), sequence, this.#owner);
  }
}
