import type * as z from 'zod';
import { notFound } from './errors.ts';
import type { RowOf } from './row.ts';

/** What every record has: an id of its own, and the partner it belongs to. */
export interface Row {
  readonly id: string;
  readonly partnerId: string;
}

/** One write, as the journal tells it. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly action: 'created' | 'updated';
}

type KeyOf<R> = (row: R) => string | null;

/** A table's declaration, once the types of its rows and indexes are forgotten. */
export interface AnyTable {
  readonly kind: string;
  /** What each row has to be; rows that come from outside, in a state document, are checked with it. */
  readonly row: z.ZodType<Row>;
}

/**
 * Declares a table: the kind of record in people's words, unique indexes (no two rows share a key) and
 * groupings (many rows share one). A key function returns null for a row that the index leaves out.
 */
export interface TableDefinition<R extends Row, U extends string, G extends string> extends AnyTable {
  readonly unique: Readonly<Record<U, KeyOf<R>>>;
  readonly groups: Readonly<Record<G, KeyOf<R>>>;
}

/**
 * Declares a table whose rows are those that `row`, made with `rowSchema`, describes:
 * `defineTable({ kind: 'card', row: CardRow, unique: {}, groups: {} })`. It has to be listed in `src/tables.ts`.
 */
export function defineTable<S extends z.ZodType<Row>, U extends string, G extends string>(definition: {
  readonly kind: string;
  readonly row: S;
  readonly unique: Readonly<Record<U, KeyOf<RowOf<S> & Row>>>;
  readonly groups: Readonly<Record<G, KeyOf<RowOf<S> & Row>>>;
}): TableDefinition<RowOf<S> & Row, U, G> {
  return definition;
}

/**
 * A table of frozen rows in memory. Reading by id or unique key is O(1); each partner's rows, and each
 * group's, are kept in the order of their creation, so that a page of a list costs its page.
 */
export class Table<R extends Row, U extends string = never, G extends string = never> {
  readonly #definition: TableDefinition<R, U, G>;
  readonly #onChange: (change: Change) => void;
  readonly #rows = new Map<string, R>();
  readonly #byPartner = new Map<string, string[]>();
  readonly #unique = new Map<U, { keyOf: KeyOf<R>; ids: Map<string, string> }>();
  readonly #groups = new Map<G, { keyOf: KeyOf<R>; ids: Map<string, string[]> }>();

  constructor(definition: TableDefinition<R, U, G>, onChange: (change: Change) => void) {
    this.#definition = definition;
    this.#onChange = onChange;
    // Object.keys forgets that the keys of these records are U and G.
    for (const name of Object.keys(definition.unique) as U[]) {
      this.#unique.set(name, { keyOf: definition.unique[name], ids: new Map() });
    }
    for (const name of Object.keys(definition.groups) as G[]) {
      this.#groups.set(name, { keyOf: definition.groups[name], ids: new Map() });
    }
  }

  /** The row with this id, of whichever partner. */
  get(id: string): R | undefined {
    return this.#rows.get(id);
  }

  /** The row with this id; throws the 404 that names kind and id when there is none or it is another partner's. */
  owned(partnerId: string, id: string): R {
    const row = this.#rows.get(id);
    if (row === undefined || row.partnerId !== partnerId) throw notFound(this.#definition.kind, id);
    return row;
  }

  /** The row with this id, of whichever partner; throws the 404 when there is none. */
  existing(id: string): R {
    const row = this.#rows.get(id);
    if (row === undefined) throw notFound(this.#definition.kind, id);
    return row;
  }

  /** The one row with this key in a unique index. */
  find(index: U, key: string): R | undefined {
    const id = this.#unique.get(index)?.ids.get(key);
    return id === undefined ? undefined : this.#rows.get(id);
  }

  /** Ids of a group's rows, oldest first. */
  group(index: G, key: string): readonly string[] {
    return this.#groups.get(index)?.ids.get(key) ?? [];
  }

  /** Ids of a partner's rows, oldest first. */
  ofPartner(partnerId: string): readonly string[] {
    return this.#byPartner.get(partnerId) ?? [];
  }

  /** Every row, oldest first. */
  all(): IterableIterator<R> {
    return this.#rows.values();
  }

  /** Adds a row and returns it frozen. A taken id or unique key is a bug of the caller and throws. */
  insert(row: R): R {
    if (this.#rows.has(row.id)) throw new Error(`${this.#definition.kind} ${row.id} exists already`);
    for (const [name, { keyOf, ids }] of this.#unique) {
      const key = keyOf(row);
      if (key !== null && ids.has(key)) throw new Error(`${this.#definition.kind}: ${name} is taken`);
    }
    this.#rows.set(row.id, Object.freeze(row));
    append(this.#byPartner, row.partnerId, row.id);
    for (const { keyOf, ids } of this.#unique.values()) {
      const key = keyOf(row);
      if (key !== null) ids.set(key, row.id);
    }
    for (const { keyOf, ids } of this.#groups.values()) {
      const key = keyOf(row);
      if (key !== null) append(ids, key, row.id);
    }
    this.#onChange({ kind: this.#definition.kind, id: row.id, action: 'created' });
    return row;
  }

  /**
   * Replaces the named members of a row and returns the new row; the old one stays as it was. Unique keys
   * follow; a taken one throws and changes nothing. A row never moves to another group or partner.
   */
  update(id: string, members: Partial<Omit<R, 'id' | 'partnerId'>>): R {
    const before = this.existing(id);
    // A spread of R and a part of R is an R, which the compiler cannot see for a type parameter.
    const after = Object.freeze({ ...before, ...members }) as R;
    for (const [name, { keyOf, ids }] of this.#unique) {
      const key = keyOf(after);
      const holder = key === null ? undefined : ids.get(key);
      if (holder !== undefined && holder !== id) {
        throw new Error(`${this.#definition.kind}: ${name} is taken`);
      }
    }
    for (const [name, { keyOf }] of this.#groups) {
      if (keyOf(before) !== keyOf(after)) throw new Error(`${this.#definition.kind}: ${name} cannot change`);
    }
    for (const { keyOf, ids } of this.#unique.values()) {
      const [old, key] = [keyOf(before), keyOf(after)];
      if (old === key) continue;
      if (old !== null) ids.delete(old);
      if (key !== null) ids.set(key, id);
    }
    this.#rows.set(id, after);
    this.#onChange({ kind: this.#definition.kind, id, action: 'updated' });
    return after;
  }
}

function append(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}
