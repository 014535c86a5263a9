import type { AnyTable, Row, TableDefinition } from '../store/store.ts';
import type { World } from '../world/world.ts';

/**
 * What timers of one kind are for: rows of one table wait for them, each for one of its own, whose `ref` is the row's
 * id. Listed in `src/sandbox/tables.ts`; states that come from outside are held against it.
 */
export interface TimerRule {
  readonly table: AnyTable;
  /** Whether a row of the table waits for a timer of this kind. */
  waits(row: Row, world: World): boolean;
  /** Whether it falls due when a day ends, and not some time after what it was set by. */
  readonly isDaily: boolean;
}

/** The rule that exactly the rows for which `waits` says so have a timer. */
export function timerRule<R extends Row, U extends string, G extends string>(
  table: TableDefinition<R, U, G>,
  waits: (row: R, world: World) => boolean,
  isDaily = false,
): TimerRule {
  // The rule is only ever handed rows of its own table, which are of type R.
  return { table, waits: waits as TimerRule['waits'], isDaily };
}
