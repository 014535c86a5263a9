import { notFound, type TableLookup } from '../operation/errors.ts';
import type { AssumptionValues } from '../values/setting.ts';
import { shorten } from '../values/text.ts';
import type { Grouping } from './persistent/group-index.ts';
import { IndexedRows, type Indexing, type RowsSnapshot } from './persistent/indexed-rows.ts';
import type { RowList } from './persistent/row-list.ts';
import type { KeyOf, Row, TableDefinition, TableSnapshot, Write } from './table-definition.ts';

const MAX_COMPARED_IDS = 1_000;

/** The hint for the journal about a record that the caller may not see. */
export function ownerHint(kind: string, { id, partnerId }: Pick<Row, 'id' | 'partnerId'>): string {
  return `${kind} ${shorten(id)} belongs to ${partnerId}; the request has the key of another partner`;
}

/**
 * A table of frozen rows in memory. Lookups by id or unique key take constant time. The rows of each partner and of each
 * group are kept in order, so that a page of a list costs only its rows. A snapshot takes constant time, and so does the
 * first write after it.
 */
export class Table<R extends Row, U extends string = never, G extends string = never> {
  readonly #definition: TableDefinition<R, U, G>;
  readonly #names: Names<U, G>;
  readonly #onWrite: (write: Write) => void;
  readonly #indexing: Indexing<R>;
  readonly #from: RowsSnapshot<R> | undefined;
  /** Created on first use: many worlds use few of their tables. */
  #indexed: IndexedRows<R> | null = null;

  constructor(
    definition: TableDefinition<R, U, G>,
    onWrite: (write: Write) => void,
    assumptions: AssumptionValues,
    from?: TableSnapshot,
  ) {
    this.#definition = definition;
    this.#onWrite = onWrite;
    // The keys of these records are U and G, which Object.keys does not know.
    this.#names = {
      unique: Object.keys(definition.unique) as U[],
      groups: Object.keys(definition.groups) as G[],
    };
    this.#indexing = indexingOf(definition, this.#names, assumptions);
    // The snapshot comes from a table with the same definition.
    this.#from = from as RowsSnapshot<R> | undefined;
  }

  get #rows(): IndexedRows<R> {
    this.#indexed ??= new IndexedRows(this.#indexing, this.#from);
    return this.#indexed;
  }

  get size(): number {
    return this.#rows.size;
  }

  get nextSequence(): number {
    return this.#rows.nextSequence;
  }

  /** Takes a snapshot. Copies no rows. */
  snapshot(): TableSnapshot {
    return this.#indexed === null && this.#from !== undefined ? this.#from : this.#rows.snapshot();
  }

  /** Returns the row with this id, of any partner. */
  get(id: string): R | undefined {
    return this.#byKey(ID, id);
  }

  /** Returns the place of a row in the order of creation: a number from 1, or undefined when there is no such row. */
  sequenceOf(id: string): number | undefined {
    return this.#rows.find(ID, id);
  }

  /** Returns the row with this id. Throws the 404 when there is none or it belongs to another partner. */
  getOwn(partnerId: string, id: string): R {
    const row = this.get(id);
    if (row?.partnerId === partnerId) return row;
    const definition = this.#definition;
    const { kind } = definition;
    if (row !== undefined) throw notFound(kind, id, [], { hint: ownerHint(kind, row) });
    const isIn = (world: TableLookup) => world.anyTable(definition).get(id) !== undefined;
    throw notFound(kind, id, [], { missing: { subject: `${kind} ${shorten(id)}`, isIn } });
  }

  /** Returns the row with this id, of any partner. Throws the 404 when there is none. */
  existing(id: string): R {
    return this.#rows.at(this.#existingSequence(id));
  }

  #existingSequence(id: string): number {
    const sequence = this.sequenceOf(id);
    if (sequence === undefined) throw notFound(this.#definition.kind, id, this.#oldestIds());
    return sequence;
  }

  find(index: U, key: string): R | undefined {
    return this.#byKey(1 + this.#names.unique.indexOf(index), key);
  }

  /** Returns the rows of a group: oldest first, or in the order of the group. */
  group(index: G, key: string): RowList<R> {
    return this.#rows.list(1 + this.#names.groups.indexOf(index), key);
  }

  /** Returns the rows of a partner, oldest first. */
  ofPartner(partnerId: string): RowList<R> {
    return this.#rows.list(PARTNER, partnerId);
  }

  /** Returns all rows, oldest first. */
  all(): IterableIterator<R> {
    return this.#rows.values();
  }

  /** Returns the unique member that another row already has, or null when the row can be inserted. */
  conflict(row: R): string | null {
    return this.#nameOf(this.#rows.findTaken(row));
  }

  /** Adds a row and returns it frozen. Throws an Error for a taken id or unique key, which is a bug of the caller. */
  insert(row: R): R {
    const { kind } = this.#definition;
    const sequence = this.#rows.insert(row);
    if (sequence === ~ID) throw new Error(`${kind} ${row.id} already exists`);
    if (sequence < 0) throw new Error(`${kind}: ${this.#nameOf(~sequence)} is taken`);
    Object.freeze(row);
    this.#written('created', sequence, null, row);
    return row;
  }

  /** Returns the new row. Throws an Error, and changes nothing, for a taken unique key. */
  update(id: string, members: Partial<Omit<R, 'id' | 'partnerId'>>): R {
    const { kind } = this.#definition;
    const sequence = this.#existingSequence(id);
    const before = this.#rows.at(sequence);
    // A spread of R and a partial R is an R, which the compiler cannot infer for a type parameter.
    const after = Object.freeze({ ...before, ...members }) as R;
    const taken = this.#nameOf(this.#rows.findTaken(after, sequence));
    if (taken !== null) throw new Error(`${kind}: ${taken} is taken`);
    this.#rows.replace(sequence, after);
    this.#written('updated', sequence, before, after);
    return after;
  }

  /** Deletes a row and returns it. Throws the 404 when there is none. */
  delete(id: string): R {
    const sequence = this.#existingSequence(id);
    const row = this.#rows.at(sequence);
    this.#rows.delete(sequence);
    this.#written('deleted', sequence, row, null);
    return row;
  }

  #written(action: Write['action'], sequence: number, before: Row | null, after: Row | null): void {
    const { id = '', partnerId = '' } = after ?? before ?? {};
    const { kind } = this.#definition;
    this.#onWrite({ kind, id, action, table: this.#definition, partnerId, sequence, before, after });
  }

  #byKey(index: number, key: string): R | undefined {
    const sequence = this.#rows.find(index, key);
    return sequence === undefined ? undefined : this.#rows.at(sequence);
  }

  #nameOf(key: number | null): string | null {
    return key === null ? null : (this.#names.unique[key - 1] ?? 'id');
  }

  /** The oldest ids come from fixtures, in which people type them by hand. */
  #oldestIds(): string[] {
    const ids: string[] = [];
    for (const { id } of this.#rows.values()) {
      if (ids.length === MAX_COMPARED_IDS) break;
      ids.push(id);
    }
    return ids;
  }
}

/** The names of unique keys and groups, in the order of their indexes, which follow the indexes of id and partner. */
interface Names<U, G> {
  readonly unique: readonly U[];
  readonly groups: readonly G[];
}

const [ID, PARTNER] = [0, 0];

/** Most keys do not depend on settings, and are read at each write. */
function bound<R>(keyOf: KeyOf<R>, assumptions: AssumptionValues): (row: R) => string | null {
  return keyOf.length < 2 ? (keyOf as (row: R) => string | null) : row => keyOf(row, assumptions);
}

function indexingOf<R extends Row, U extends string, G extends string>(
  { unique, groups, orders, timeOf }: TableDefinition<R, U, G>,
  names: Names<U, G>,
  assumptions: AssumptionValues,
): Indexing<R> {
  const partner: Grouping<R> = { keyOf: row => row.partnerId };
  return {
    unique: [row => row.id, ...names.unique.map(name => bound(unique[name], assumptions))],
    groups: [
      partner,
      ...names.groups.map(name => ({ keyOf: bound(groups[name], assumptions), compare: orders?.[name] })),
    ],
    timeOf,
  };
}

/**
 * Deletes the oldest removable row of a partner when the partner has more than `limit` rows. `removable` returns lists
 * with the rows that can be removed, each in the order of creation. Other rows stay, however many they are. Call it
 * after each insert.
 */
export function keepNewest<R extends Row, U extends string, G extends string>(
  table: Table<R, U, G>,
  partnerId: string,
  limit: number,
  removable: () => readonly RowList<R>[],
): void {
  if (table.ofPartner(partnerId).length <= limit) return;
  let oldest: RowList<R> | null = null;
  for (const list of removable()) {
    const { firstSequence } = list;
    if (firstSequence !== undefined && firstSequence < (oldest?.firstSequence ?? Infinity)) oldest = list;
  }
  const row = oldest?.at(0);
  if (row !== undefined) table.delete(row.id);
}
