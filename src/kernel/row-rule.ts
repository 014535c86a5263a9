import { shorten } from './shorten.ts';
import type { Row, TableDefinition } from './store.ts';
import type { World } from './world.ts';

/**
 * What a table's rows have to keep to, beyond the schema of each alone. The API's own checks see to it while the
 * sandbox runs; states that come from outside are held against it. Listed in `src/tables.ts`.
 */
export interface RowRule {
  /** The declaration of the table. */
  readonly table: unknown;
  /** Which rule a row breaks, as `field: what must be`; null when it breaks none. */
  check(row: Row, world: World): string | null;
}

/** A rule for the rows of a table; it may look at all of the world. */
export function rowRule<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  check: (row: R, world: World) => string | null,
): RowRule {
  // The rule is only ever handed rows of its own table, which are of type R.
  return { table, check: (row, world) => check(row as R, world) };
}

/** The rule that what `idOf` finds in a row is the id of another table's row, of the same partner; null is none. */
export function reference<
  R extends Row,
  U extends string,
  G extends string,
  Other extends Row,
  V extends string,
  H extends string,
>(
  table: TableDefinition<R, U, G>,
  field: string,
  idOf: (row: R) => string | null,
  to: TableDefinition<Other, V, H>,
): RowRule {
  return rowRule(table, (row, world) => {
    const id = idOf(row);
    if (id === null || world.table(to).get(id)?.partnerId === row.partnerId) return null;
    return `${field}: there is no ${to.kind} ${JSON.stringify(shorten(id))} of ${row.partnerId}`;
  });
}
