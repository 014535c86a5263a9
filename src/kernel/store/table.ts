import { notFound } from '../operation/errors.ts';
import { append, type Contents, copyOf, emptyContents, remove } from './table-contents.ts';
import type { Change, Row, TableDefinition } from './table-definition.ts';

/** How many ids a wrong one is compared with. */
const COMPARED_IDS = 1_000;

/** What a table held at one moment. It never changes, and any number of tables can begin with it. */
export interface TableSnapshot {
  readonly rows: ReadonlyMap<string, Row>;
}

/**
 * A table of frozen rows in memory. Reading by id or unique key is O(1); each partner's rows, and each
 * group's, are kept in the order of their creation, so that a page of a list costs its page. Taking a snapshot
 * and beginning with one copy nothing: the first write after that does.
 */
export class Table<R extends Row, U extends string = never, G extends string = never> {
  readonly #definition: TableDefinition<R, U, G>;
  readonly #onChange: (change: Change) => void;
  #contents: Contents<R, U, G>;
  #isShared: boolean;

  constructor(
    definition: TableDefinition<R, U, G>,
    onChange: (change: Change) => void,
    from?: TableSnapshot,
  ) {
    this.#definition = definition;
    this.#onChange = onChange;
    this.#isShared = from !== undefined;
    // A snapshot is the contents of a table of the same definition.
    this.#contents = (from as Contents<R, U, G> | undefined) ?? emptyContents(definition);
  }

  /** How many rows there are. */
  get size(): number {
    return this.#contents.rows.size;
  }

  /** What the table holds now. */
  snapshot(): TableSnapshot {
    this.#isShared = true;
    return this.#contents;
  }

  /** The row with this id, of whichever partner. */
  get(id: string): R | undefined {
    return this.#contents.rows.get(id);
  }

  /** The row with this id; throws the 404 that names kind and id when there is none or it is another partner's. */
  owned(partnerId: string, id: string): R {
    const row = this.get(id);
    if (row === undefined || row.partnerId !== partnerId) throw notFound(this.#definition.kind, id);
    return row;
  }

  /** The row with this id, of whichever partner; throws the 404 when there is none. */
  existing(id: string): R {
    const row = this.get(id);
    if (row === undefined) throw notFound(this.#definition.kind, id, this.#oldestIds());
    return row;
  }

  /** The one row with this key in a unique index. */
  find(index: U, key: string): R | undefined {
    const id = this.#contents.unique.get(index)?.get(key);
    return id === undefined ? undefined : this.get(id);
  }

  /** Ids of a group's rows, oldest first. */
  group(index: G, key: string): readonly string[] {
    return this.#contents.groups.get(index)?.get(key) ?? [];
  }

  /** Ids of a partner's rows, oldest first. */
  ofPartner(partnerId: string): readonly string[] {
    return this.#contents.byPartner.get(partnerId) ?? [];
  }

  /** Every row, oldest first. */
  all(): IterableIterator<R> {
    return this.#contents.rows.values();
  }

  /** The member that must be unique and that another row has taken already; null when the row can be inserted. */
  conflict(row: R): string | null {
    return this.#contents.rows.has(row.id) ? 'id' : this.#takenIndex(row);
  }

  /** Adds a row and returns it frozen. A taken id or unique key is a bug of the caller and throws. */
  insert(row: R): R {
    const { kind, unique, groups } = this.#definition;
    if (this.#contents.rows.has(row.id)) throw new Error(`${kind} ${row.id} exists already`);
    const taken = this.#takenIndex(row);
    if (taken !== null) throw new Error(`${kind}: ${taken} is taken`);
    const contents = this.#ownContents();
    contents.rows.set(row.id, Object.freeze(row));
    append(contents.byPartner, row.partnerId, row.id);
    for (const [name, ids] of contents.unique) {
      const key = unique[name](row);
      if (key !== null) ids.set(key, row.id);
    }
    for (const [name, lists] of contents.groups) {
      const key = groups[name](row);
      if (key !== null) append(lists, key, row.id);
    }
    this.#onChange({ kind, id: row.id, action: 'created' });
    return row;
  }

  /**
   * Replaces the named members of a row and returns the new row; the old one stays as it was. Unique keys
   * follow; a taken one throws and changes nothing. A row never moves to another group or partner.
   */
  update(id: string, members: Partial<Omit<R, 'id' | 'partnerId'>>): R {
    const { kind, unique, groups } = this.#definition;
    const before = this.existing(id);
    // A spread of R and a part of R is an R, which the compiler cannot see for a type parameter.
    const after = Object.freeze({ ...before, ...members }) as R;
    const taken = this.#takenIndex(after);
    if (taken !== null) throw new Error(`${kind}: ${taken} is taken`);
    for (const name of this.#contents.groups.keys()) {
      if (groups[name](before) !== groups[name](after)) throw new Error(`${kind}: ${name} cannot change`);
    }
    const contents = this.#ownContents();
    for (const [name, ids] of contents.unique) {
      const [old, key] = [unique[name](before), unique[name](after)];
      if (old === key) continue;
      if (old !== null) ids.delete(old);
      if (key !== null) ids.set(key, id);
    }
    contents.rows.set(id, after);
    this.#onChange({ kind, id, action: 'updated' });
    return after;
  }

  /**
   * Takes a row out and returns it; throws the 404 when there is none. The others keep their order. Costs nothing
   * but the search for its place, which is short for one of the oldest.
   */
  delete(id: string): R {
    const { kind, unique, groups } = this.#definition;
    const row = this.existing(id);
    const contents = this.#ownContents();
    contents.rows.delete(id);
    remove(contents.byPartner, row.partnerId, id);
    for (const [name, ids] of contents.unique) {
      const key = unique[name](row);
      if (key !== null) ids.delete(key);
    }
    for (const [name, lists] of contents.groups) {
      const key = groups[name](row);
      if (key !== null) remove(lists, key, id);
    }
    this.#onChange({ kind, id, action: 'deleted' });
    return row;
  }

  /** The unique index in which another row has this row's key; null when there is none. */
  #takenIndex(row: R): U | null {
    for (const [name, ids] of this.#contents.unique) {
      const key = this.#definition.unique[name](row);
      const holder = key === null ? undefined : ids.get(key);
      if (holder !== undefined && holder !== row.id) return name;
    }
    return null;
  }

  /** The ids that people know by heart, those of fixtures, come first; comparing with more would take long. */
  #oldestIds(): string[] {
    const ids: string[] = [];
    for (const id of this.#contents.rows.keys()) {
      if (ids.length === COMPARED_IDS) break;
      ids.push(id);
    }
    return ids;
  }

  /** Contents that may be written to: no snapshot shares them. */
  #ownContents(): Contents<R, U, G> {
    if (this.#isShared) {
      this.#contents = copyOf(this.#contents);
      this.#isShared = false;
    }
    return this.#contents;
  }
}
