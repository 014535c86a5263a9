import type * as z from 'zod';
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
  readonly action: 'created' | 'updated' | 'deleted';
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
 * `defineTable({ kind: 'card', row: CardRow, unique: {}, groups: {} })`. It has to be listed in `src/sandbox/tables.ts`.
 */
export function defineTable<S extends z.ZodType<Row>, U extends string, G extends string>(definition: {
  readonly kind: string;
  readonly row: S;
  readonly unique: Readonly<Record<U, KeyOf<RowOf<S> & Row>>>;
  readonly groups: Readonly<Record<G, KeyOf<RowOf<S> & Row>>>;
}): TableDefinition<RowOf<S> & Row, U, G> {
  return definition;
}
