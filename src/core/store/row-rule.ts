import { shorten } from '../values/text.ts';
import type { WorldState } from '../world/world-state.ts';
import type { AnyTable, Row, TableDefinition } from './table-definition.ts';

/** Returns the problem with a row, as `field: requirement`, or null when it is valid. */
type Check<R> = (row: R) => string | null;

/**
 * A constraint on the rows of a table beyond the schema of each row. The operations enforce it; state documents are
 * checked against it. Listed in `src/sandbox/tables.ts`.
 */
export interface RowRule {
  readonly table: unknown;
  /** Returns the check for each row of the table. Called once all tables are loaded. */
  begin(state: WorldState): Check<Row>;
}

/** Declares a rule for the rows of a table. The check may read the whole world. */
export function rowRule<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  check: (row: R, state: WorldState) => string | null,
): RowRule {
  return rowRuleOver(table, state => row => check(row, state));
}

/** Declares a rule for the rows of a table with a preparation: `begin` runs once and returns the check of each row. */
export function rowRuleOver<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  begin: (state: WorldState) => Check<R>,
): RowRule {
  // The rule is only called with rows of its own table, which are of type R.
  return { table, begin: begin as (state: WorldState) => Check<Row> };
}

/** Declares that `idOf` returns the id of a row of another table and the same partner, or null for no reference. */
export function reference<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  field: string,
  idOf: (row: R) => string | null,
  to: AnyTable,
): RowRule {
  return rowRule(table, (row, state) => {
    const id = idOf(row);
    if (id === null || state.anyTable(to).get(id)?.partnerId === row.partnerId) return null;
    return `${field}: there is no ${to.kind} ${JSON.stringify(shorten(id))} of ${row.partnerId}`;
  });
}
