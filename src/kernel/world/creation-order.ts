import type { AnyTable, Change, Row } from '../store/table-definition.ts';
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
  readonly #rowsOf: (table: AnyTable) => Iterable<Row>;
  /** By the kind of record, the number of each row. Read from a table on first use, and then kept up to date. */
  readonly #numbers = new Map<string, Map<string, number>>();
  #last = 0;

  /** `tableOf` has the table of each kind of task, and `tables` their order. */
  constructor(
    tables: readonly AnyTable[],
    tableOf: Readonly<Record<string, AnyTable>>,
    rowsOf: (table: AnyTable) => Iterable<Row>,
  ) {
    this.#tables = tables;
    this.#tableOf = tableOf;
    this.#rowsOf = rowsOf;
  }

  /** Returns the place of a task among those of the same moment. Tasks without a table come first. */
  ofTask({ kind, ref }: Task): number {
    const table = this.#tableOf[kind];
    if (table === undefined) return 0;
    return this.#tables.indexOf(table) * TABLE_STEP + this.ofRow(table, ref);
  }

  /** Returns the place of a row in its table: higher than those of all rows created before it. */
  ofRow(table: AnyTable, id: string): number {
    return this.#numbersOf(table).get(id) ?? 0;
  }

  /** Keeps the order up to date. To be called with every change of a table. */
  record({ kind, id, action }: Change): void {
    const numbers = this.#numbers.get(kind);
    if (action === 'created') numbers?.set(id, ++this.#last);
    else if (action === 'deleted') numbers?.delete(id);
  }

  #numbersOf(table: AnyTable): ReadonlyMap<string, number> {
    const known = this.#numbers.get(table.kind);
    if (known !== undefined) return known;
    const numbers = new Map<string, number>();
    for (const { id } of this.#rowsOf(table)) numbers.set(id, ++this.#last);
    this.#numbers.set(table.kind, numbers);
    return numbers;
  }
}
