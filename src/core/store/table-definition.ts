import * as z from 'zod';
import { once } from '../values/once.ts';
import type { AssumptionValues } from '../values/setting.ts';

export const StoredId = z.string().min(1);

/** A timestamp as rows store it, in milliseconds and UTC: `2026-01-31T12:00:00.000Z`. */
export const StoredTime = z.iso.datetime({
  precision: 3,
  error: 'must be a timestamp such as 2026-01-31T12:00:00.000Z',
});

/** An amount as rows store it: whole hundredths. */
export const StoredAmount = z.int().min(0);

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;

/** The schema of a table's rows. It is built when it is first needed: only state documents are checked with it. */
type RowSchema<R extends z.ZodType> = () => R;

/** The type of the rows of a row schema, or of a part of one. Rows are immutable. */
export type RowOf<S extends z.ZodType | RowSchema<z.ZodType>> = ReadonlyDeep<
  S extends z.ZodType ? z.output<S> : S extends RowSchema<infer R> ? z.output<R> : never
>;

/**
 * The schema of a table's rows: the ids of the record and of its partner, and the members. State documents are
 * validated with it, so it must transform nothing and declare every member.
 */
export function rowSchema<const Members extends z.ZodRawShape>(members: () => Members) {
  return once(() => z.strictObject({ id: StoredId, partnerId: StoredId, ...members() }));
}

/** Returns the key of a partner's text in a unique index. The length keeps it from being read as a text of another partner. */
export function ownKey(partnerId: string, text: string): string {
  return `${partnerId.length} ${partnerId} ${text}`;
}

export interface Row {
  readonly id: string;
  readonly partnerId: string;
}

export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly action: 'created' | 'updated' | 'deleted';
}

/** A write to a table. Rows are frozen, so that they are kept without a copy. */
export interface Write extends Change {
  readonly table: AnyTable;
  readonly partnerId: string;
  readonly sequence: number;
  /** The row before; null for a new one. */
  readonly before: Row | null;
  /** The row after; null for a deleted one. */
  readonly after: Row | null;
}

/** The immutable contents of a table at one moment. Any number of tables of the same definition can start from it. */
export interface TableSnapshot {
  readonly size: number;
  /** The rows, in the order of creation. */
  values(): Iterable<Row>;
  /** Returns the rows with their indexes, of which number 0 is the index of the ids. */
  open(): { find(index: number, key: string): number | undefined };
}

/** The declaration of any table, without the types of its rows and indexes. */
export interface AnyTable {
  readonly kind: string;
  readonly row: RowSchema<z.ZodType<Row>>;
  /** By unique index: what helps where two rows of a state document have the same key under the settings of the world. */
  readonly conflictHints?: Readonly<Record<string, string>>;
}

interface Ordering<R extends Row, G extends string> {
  /** The order of the lists of some groups; equal rows stay in the order of creation, which is the default. */
  readonly orders?: Readonly<Partial<Record<G, (a: R, b: R) => number>>> | undefined;
  /** The time in milliseconds by which lists can be limited to a period. */
  readonly timeOf?: ((row: R) => number) | undefined;
}

/** Returns the key of a row in an index, or null when it is not in the index. It may depend on the settings of the world. */
export type KeyOf<R> = (row: R, assumptions: AssumptionValues) => string | null;

/** No two rows share a key of a unique index; many share a key of a group. */
export interface TableDefinition<R extends Row, U extends string, G extends string>
  extends AnyTable,
    Ordering<R, G> {
  readonly unique: Readonly<Record<U, KeyOf<R>>>;
  readonly groups: Readonly<Record<G, KeyOf<R>>>;
}

/**
 * Declares a table with the row schema `row`, which `rowSchema` creates. List the table in `src/sandbox/tables.ts`.
 *
 *     defineTable({ kind: 'card', row: CardRow })
 */
export function defineTable<
  S extends RowSchema<z.ZodType<Row>>,
  U extends string = never,
  G extends string = never,
>(
  definition: {
    readonly kind: string;
    readonly row: S;
    readonly unique?: Readonly<Record<U, KeyOf<RowOf<S> & Row>>>;
    readonly groups?: Readonly<Record<G, KeyOf<RowOf<S> & Row>>>;
    readonly conflictHints?: Readonly<Record<string, string>>;
  } & Ordering<RowOf<S> & Row, NoInfer<G>>,
): TableDefinition<RowOf<S> & Row, U, G> {
  // Without names there are no keys.
  const none = {} as Readonly<Record<U | G, KeyOf<RowOf<S> & Row>>>;
  return { unique: none, groups: none, ...definition };
}
