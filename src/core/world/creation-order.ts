import type { AnyTable } from '../store/table-definition.ts';
import type { Task } from '../time/task.ts';

/** The distance between the orders of two tables. No table ever gets as many rows. */
const TABLE_STEP = 2 ** 40;

/**
 * The order of tasks that fall due at the same moment: that of the tables of what they belong to, then that in which
 * the rows were created. It is the same in a world that continues from a snapshot or a document, whose rows keep their
 * order, and does not depend on when a task was scheduled.
 */
export class CreationOrder {
  readonly #tables: readonly AnyTable[];
  readonly #tableOf: Readonly<Record<string, AnyTable>>;
  readonly #sequenceOf: (table: AnyTable, id: string) => number | undefined;

  /** `tableOf` has the table of each kind of task, and `tables` their order. */
  constructor(
    tables: readonly AnyTable[],
    tableOf: Readonly<Record<string, AnyTable>>,
    sequenceOf: (table: AnyTable, id: string) => number | undefined,
  ) {
    this.#tables = tables;
    this.#tableOf = tableOf;
    this.#sequenceOf = sequenceOf;
  }

  /** Returns the place of a task among those of the same moment. Tasks without a table come first. */
  ofTask({ kind, ref }: Task): number {
    const table = this.#tableOf[kind];
    if (table === undefined) return 0;
    return this.#tables.indexOf(table) * TABLE_STEP + this.ofRow(table, ref);
  }

  /** Returns the place of a row in its table: higher than those of all rows created before it. */
  ofRow(table: AnyTable, id: string): number {
    return this.#sequenceOf(table, id) ?? 0;
  }
}
