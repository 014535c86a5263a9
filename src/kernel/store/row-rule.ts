import { shorten } from '../values/shorten.ts';
import type { World } from '../world/world.ts';
import type { Row, TableDefinition } from './table-definition.ts';

/** Which rule a row breaks, as `field: what must be`; null when it breaks none. */
type Check<R> = (row: R) => string | null;

/**
 * What a table's rows have to keep to, beyond the schema of each alone. The API's own checks see to it while the
 * sandbox runs; states that come from outside are held against it. Listed in `src/sandbox/tables.ts`.
 */
export interface RowRule {
  /** The declaration of the table. */
  readonly table: unknown;
  /** Makes what checks each row of the table, once all tables are filled. */
  begin(world: World): Check<Row>;
}

/** A rule for the rows of a table; it may look at all of the world. */
export function rowRule<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  check: (row: R, world: World) => string | null,
): RowRule {
  return rowRuleOver(table, world => row => check(row, world));
}

/** A rule for the rows of a table that works something out once, before it looks at them one by one. */
export function rowRuleOver<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  begin: (world: World) => Check<R>,
): RowRule {
  // The rule is only ever handed rows of its own table, which are of type R.
  return { table, begin: begin as (world: World) => Check<Row> };
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
