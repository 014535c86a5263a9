import { notFound, type WorldTables } from '../operation/errors.ts';
import { shorten } from '../values/shorten.ts';
import { append, type Contents, copyContents, emptyContents, remove } from './table-contents.ts';
import type { Change, Row, TableDefinition } from './table-definition.ts';

/** Cap on the ids that an unknown id is compared with for a suggestion. */
const MAX_COMPARED_IDS = 1_000;

/** The hint for the journal about a record that the caller may not see. */
export function ownerHint(kind: string, { id, partnerId }: Pick<Row, 'id' | 'partnerId'>): string {
  return `${kind} ${shorten(id)} belongs to ${partnerId}; the request has the key of another partner`;
}

/** The immutable contents of a table at one moment. Any number of tables can be created from it. */
export interface TableSnapshot {
  readonly rows: ReadonlyMap<string, Row>;
}

/**
 * A table of frozen rows in memory. Lookups by id or unique key are O(1). The rows of each partner and of each group
 * are kept in the order of creation, so that a page of a list costs only its rows. A snapshot is copy-on-write: the
 * first write after it copies the indexes.
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
    // The snapshot is the contents of a table of the same definition.
    this.#contents = (from as Contents<R, U, G> | undefined) ?? emptyContents(definition);
  }

  /** The number of rows. */
  get size(): number {
    return this.#contents.rows.size;
  }

  /** Takes a snapshot. Copies nothing. */
  snapshot(): TableSnapshot {
    this.#isShared = true;
    return this.#contents;
  }

  /** Returns the row with this id, of any partner. */
  get(id: string): R | undefined {
    return this.#contents.rows.get(id);
  }

  /** Returns the row with this id. Throws the 404 when there is none or it belongs to another partner. */
  owned(partnerId: string, id: string): R {
    const row = this.get(id);
    if (row?.partnerId === partnerId) return row;
    const definition = this.#definition;
    const { kind } = definition;
    if (row !== undefined) throw notFound(kind, id, [], { hint: ownerHint(kind, row) });
    const isIn = (world: WorldTables) => world.anyTable(definition).get(id) !== undefined;
    throw notFound(kind, id, [], { missing: { subject: `${kind} ${shorten(id)}`, isIn } });
  }

  /** Returns the row with this id, of any partner. Throws the 404 when there is none. */
  existing(id: string): R {
    const row = this.get(id);
    if (row === undefined) throw notFound(this.#definition.kind, id, this.#oldestIds());
    return row;
  }

  /** Returns the row with this key in a unique index. */
  find(index: U, key: string): R | undefined {
    const id = this.#contents.unique.get(index)?.get(key);
    return id === undefined ? undefined : this.get(id);
  }

  /** Returns the ids of a group, oldest first. */
  group(index: G, key: string): readonly string[] {
    return this.#contents.groups.get(index)?.get(key) ?? [];
  }

  /** Returns the ids of a partner's rows, oldest first. */
  ofPartner(partnerId: string): readonly string[] {
    return this.#contents.byPartner.get(partnerId) ?? [];
  }

  /** Returns all rows, oldest first. */
  all(): IterableIterator<R> {
    return this.#contents.rows.values();
  }

  /** Returns the unique member that another row already has, or null when the row can be inserted. */
  conflict(row: R): string | null {
    return this.#contents.rows.has(row.id) ? 'id' : this.#takenIndex(row);
  }

  /** Adds a row and returns it frozen. Throws an Error for a taken id or unique key, which is a bug of the caller. */
  insert(row: R): R {
    const { kind, unique, groups } = this.#definition;
    if (this.#contents.rows.has(row.id)) throw new Error(`${kind} ${row.id} already exists`);
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
   * Replaces members of a row and returns the new row; the old one is unchanged. Updates the unique indexes. Throws an
   * Error, and changes nothing, for a taken unique key or a changed group.
   */
  update(id: string, members: Partial<Omit<R, 'id' | 'partnerId'>>): R {
    const { kind, unique, groups } = this.#definition;
    const before = this.existing(id);
    // A spread of R and a partial R is an R, which the compiler cannot infer for a type parameter.
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
   * Deletes a row and returns it. Throws the 404 when there is none. The search through the lists of its partner and
   * groups is short for the oldest rows.
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

  /** Returns the unique index in which another row has this row's key, or null. */
  #takenIndex(row: R): U | null {
    for (const [name, ids] of this.#contents.unique) {
      const key = this.#definition.unique[name](row);
      const holder = key === null ? undefined : ids.get(key);
      if (holder !== undefined && holder !== row.id) return name;
    }
    return null;
  }

  /** The oldest ids are those of fixtures, which people type by hand. */
  #oldestIds(): string[] {
    const ids: string[] = [];
    for (const id of this.#contents.rows.keys()) {
      if (ids.length === MAX_COMPARED_IDS) break;
      ids.push(id);
    }
    return ids;
  }

  /** Returns contents that no snapshot shares, copied if needed. */
  #ownContents(): Contents<R, U, G> {
    if (this.#isShared) {
      this.#contents = copyContents(this.#contents);
      this.#isShared = false;
    }
    return this.#contents;
  }
}
