import { GroupIndex, type Grouping, type ListsSnapshot, NumberedLists } from './group-index.ts';
import { HashIndex, type HashRoot, hashKey } from './hash-index.ts';
import { OrderedTrees } from './ordered-tree.ts';
import { newOwner } from './owner.ts';
import type { RowList } from './row-list.ts';
import { SparseList } from './sparse-list.ts';

/** Returns the key of a row in an index, or null when it is not in the index. */
export type KeyOf<R> = (row: R) => string | null;

export interface Indexing<R> {
  /** Unique keys. The first is the id. */
  readonly unique: readonly KeyOf<R>[];
  readonly groups: readonly Grouping<R>[];
  readonly timeOf?: ((row: R) => number) | undefined;
}

interface Roots<R> {
  readonly indexing: Indexing<R>;
  readonly rows: SparseList<R>;
  readonly unique: readonly HashRoot[];
  readonly groups: readonly HashRoot[];
  readonly lists: ListsSnapshot;
  readonly nextSequence: number;
  readonly size: number;
}

/** Cap on the writes that lead from a moment to the next one with known roots. To undo them takes some 50 ms. */
const MAX_WRITES = 10_000;

/**
 * The rows at one moment. Each write leads from one moment to the next; the last moment is the present. After its roots
 * are shared, each write copies the nodes on its way, and most snapshots are never read. So the roots of an earlier
 * moment are found when they are first read, by undoing the writes after it on a copy.
 */
export class RowsSnapshot<R> {
  /** The rows whose past this is; null once the roots are known, so that a snapshot does not hold on to later rows. */
  #source: IndexedRows<R> | null;
  #roots: Roots<R> | null = null;
  /** The first write after this moment; null in the present, and once the roots are known. */
  #write: Write<R> | null = null;

  constructor(source: IndexedRows<R>) {
    this.#source = source;
  }

  /** Whether the roots are known: then the writes after this moment are not needed. */
  get isRead(): boolean {
    return this.#roots !== null;
  }

  /** The roots. Takes constant time in the present, and later what undoing the writes since takes, of which there are at most 10,000. */
  roots(): Roots<R> {
    this.#roots ??= this.#findRoots();
    this.#source = null;
    this.#write = null;
    return this.#roots;
  }

  get size(): number {
    return this.roots().size;
  }

  /** The rows, in the order of creation. */
  values(): IterableIterator<R> {
    return this.roots().rows[Symbol.iterator]();
  }

  /** Returns the rows with their indexes. They may be changed, which does not change the snapshot. */
  open(): IndexedRows<R> {
    return new IndexedRows(this.roots().indexing, this);
  }

  /** Adds the write that ended this moment, and returns the moment after it. `before` is null for a new row. */
  endWith(sequence: number, before: R | null, source: IndexedRows<R>): RowsSnapshot<R> {
    const next = new RowsSnapshot(source);
    this.#write = { sequence, before, next };
    return next;
  }

  #findRoots(): Roots<R> {
    const writes: Write<R>[] = [];
    let known: RowsSnapshot<R> = this;
    for (; known.#write !== null; known = known.#write.next) writes.push(known.#write);
    if (known === this) {
      if (this.#source === null) throw new Error('the snapshot has neither roots nor a source');
      return this.#source.share();
    }
    const rows = known.open();
    for (const { sequence, before } of writes.reverse()) rows.undo(sequence, before);
    return rows.share();
  }
}

interface Write<R> {
  readonly sequence: number;
  /** The row before the write; null for a new one. */
  readonly before: R | null;
  readonly next: RowsSnapshot<R>;
}

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
}

/**
 * Rows in the order of creation, with their indexes. Each row has a sequence number, which the indexes hold instead of
 * the row. A snapshot takes constant time; a write after it copies the nodes on its way, and no others.
 */
export class IndexedRows<R> {
  readonly #indexing: Indexing<R>;
  readonly #rows: SparseList<R>;
  readonly #unique: readonly UniqueIndex<R>[];
  readonly #groups: readonly GroupIndex<R>[];
  readonly #lists: NumberedLists;
  #owner = newOwner();
  #nextSequence: number;
  #size: number;
  /** The present, if there may be a snapshot of it or of the moments before it. */
  #present: RowsSnapshot<R> | null;
  /** The number of writes since the last moment with known roots. */
  #writeCount = 0;

  /** Starts empty, or with the rows of a snapshot that are indexed in the same way. */
  constructor(indexing: Indexing<R>, snapshot?: RowsSnapshot<R>) {
    const { unique, groups, timeOf } = indexing;
    const from = snapshot?.roots();
    this.#indexing = indexing;
    this.#rows = new SparseList(from?.rows);
    this.#unique = unique.map((keyOf, index) => new UniqueIndex(keyOf, this.#rows, from?.unique[index]));
    this.#lists = new NumberedLists(from?.lists);
    const timeAt = timeOf === undefined ? null : (sequence: number) => timeOf(this.at(sequence));
    const trees = new OrderedTrees(null, timeAt);
    const context = { rows: this, lists: this.#lists, trees, timeOf: timeAt };
    this.#groups = groups.map((group, index) => new GroupIndex(group, context, from?.groups[index]));
    this.#nextSequence = from?.nextSequence ?? 1;
    this.#size = from?.size ?? 0;
    this.#present = snapshot ?? null;
  }

  /** Takes a snapshot: the same one until the next write. Copies no nodes, and shares none until it is read. */
  snapshot(): RowsSnapshot<R> {
    this.#present ??= new RowsSnapshot(this);
    return this.#present;
  }

  /** Returns the roots for a snapshot. From now on, writes copy the nodes on their way. */
  share(): Roots<R> {
    this.#owner = newOwner();
    return {
      indexing: this.#indexing,
      rows: new SparseList(this.#rows),
      unique: this.#unique.map(({ root }) => root),
      groups: this.#groups.map(({ root }) => root),
      lists: this.#lists.snapshot(),
      nextSequence: this.#nextSequence,
      size: this.#size,
    };
  }

  get size(): number {
    return this.#size;
  }

  /** The sequence number of the next row. Rows that were created earlier have lower ones. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  at(sequence: number): R {
    const row = this.#rows.get(sequence);
    if (row === undefined) throw new Error(`the table has no row ${sequence}`);
    return row;
  }

  find(index: number, key: string): number | undefined {
    return this.#unique[index]?.find(hashKey(key), key);
  }

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
  findTaken(row: R, self?: number): number | null {
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
    const hashes = new Array<number | null>(this.#unique.length);
    let number = 0;
    for (const index of this.#unique) {
      const key = index.keyOf(row);
      const hash = hashOf(key);
      if (key !== null && hash !== null && index.find(hash, key) !== undefined) return ~number;
      hashes[number++] = hash;
    }
    const sequence = this.#nextSequence++;
    this.#add(sequence, row, hashes);
    this.#written(sequence, null);
    return sequence;
  }

  /** Replaces a row, whose unique keys must not be taken by others. It keeps its place in the order of creation. */
  replace(sequence: number, row: R): void {
    const before = this.at(sequence);
    const { timeOf } = this.#indexing;
    const isMoved = timeOf !== undefined && timeOf(before) !== timeOf(row);
    const unique = this.#unique.filter(({ keyOf }) => keyOf(before) !== keyOf(row));
    const groups = this.#groups.filter(group => isMoved || group.isMoved(before, row));
    // The lists are found and ordered by their rows, so the row has to leave them before it changes.
    for (const each of unique) this.#release(each, before, sequence);
    for (const group of groups) group.remove(before, sequence, this.#owner);
    this.#rows.set(sequence, row, this.#owner);
    for (const index of unique) {
      const key = index.keyOf(row);
      if (key !== null) index.add(hashKey(key), sequence, this.#owner);
    }
    for (const group of groups) group.add(row, sequence, this.#owner);
    this.#written(sequence, before);
  }

  delete(sequence: number): void {
    const row = this.at(sequence);
    for (const each of this.#unique) this.#release(each, row, sequence);
    for (const group of this.#groups) group.remove(row, sequence, this.#owner);
    this.#rows.delete(sequence, this.#owner);
    this.#size -= 1;
    this.#written(sequence, row);
  }

  /** Undoes a write, given the row before it; null for a new one. */
  undo(sequence: number, before: R | null): void {
    if (before === null) this.delete(sequence);
    else if (this.#rows.get(sequence) !== undefined) this.replace(sequence, before);
    else
      this.#add(
        sequence,
        before,
        this.#unique.map(index => hashOf(index.keyOf(before))),
      );
  }

  #written(sequence: number, before: R | null): void {
    if (this.#present?.isRead !== false) {
      this.#present = null;
      this.#writeCount = 0;
      return;
    }
    this.#present = this.#present.endWith(sequence, before, this);
    this.#writeCount += 1;
    if (this.#writeCount === MAX_WRITES) this.#present.roots();
  }

  #add(sequence: number, row: R, hashes: readonly (number | null)[]): void {
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

function hashOf(key: string | null): number | null {
  return key === null ? null : hashKey(key);
}
