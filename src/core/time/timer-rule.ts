import type { AnyTable, Row, TableDefinition } from '../store/table-definition.ts';
import type { WorldState } from '../world/world-state.ts';

/**
 * Which rows of a table have a timer of one kind; the timer's `ref` is the row's id. Listed in
 * `src/sandbox/tables.ts`. State documents are checked against it.
 */
export interface TimerRule {
  readonly table: AnyTable;
  /** Whether a row of the table waits for a timer of this kind. */
  waits(row: Row, state: WorldState): boolean;
}

/** Declares that exactly the rows for which `waits` returns true have a timer. */
export function timerRule<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  waits: (row: R, state: WorldState) => boolean,
): TimerRule {
  // The rule is only called with rows of its own table, which are of type R.
  return { table, waits: waits as TimerRule['waits'] };
}
