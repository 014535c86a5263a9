import { Table } from '../store/table.ts';
import type { AnyTable, Row, TableDefinition, TableSnapshot, Write } from '../store/table-definition.ts';
import type { AssumptionValues } from '../values/setting.ts';
import type { TableSnapshots } from './world-snapshot.ts';

/** The snapshots of all tables of a world. Holds those only: the tables are the same at all moments. */
class SnapshotList implements TableSnapshots {
  readonly #tables: readonly AnyTable[];
  readonly #snapshots: readonly TableSnapshot[];

  constructor(tables: readonly AnyTable[], snapshots: readonly TableSnapshot[]) {
    this.#tables = tables;
    this.#snapshots = snapshots;
  }

  get(table: AnyTable): TableSnapshot | undefined {
    return this.#snapshots[this.#tables.indexOf(table)];
  }

  *[Symbol.iterator](): Generator<readonly [table: AnyTable, snapshot: TableSnapshot]> {
    for (const [index, snapshot] of this.#snapshots.entries()) {
      const table = this.#tables[index];
      if (table !== undefined) yield [table, snapshot];
    }
  }
}

/** The distance between the orders of two tables. No table ever gets as many rows. */
const TABLE_STEP = 2 ** 40;

/** The tables of a world, each created on first use. */
export class WorldTables {
  readonly #listed: readonly AnyTable[];
  readonly #onWrite: (write: Write) => void;
  readonly #from: TableSnapshots | undefined;
  readonly #tables = new Map<AnyTable, unknown>();
  readonly #assumptions: AssumptionValues;
  /** All tables in the order of `listed`, once there has been a snapshot. */
  #all: readonly Table<Row, string, string>[] | null = null;
  /** The last snapshots, until the next write. */
  #snapshots: TableSnapshots | null = null;

  /** `listed` are all tables that a world may have. `onWrite` is called after each write. */
  constructor(
    listed: readonly AnyTable[],
    onWrite: (write: Write) => void,
    assumptions: AssumptionValues,
    from?: TableSnapshots,
  ) {
    this.#listed = listed;
    this.#assumptions = assumptions;
    this.#from = from;
    this.#onWrite = write => {
      this.#snapshots = null;
      onWrite(write);
    };
  }

  /** Returns a table. Throws for one that is not listed, since saved states would lack it. */
  table<R extends Row, U extends string, G extends string>(
    definition: TableDefinition<R, U, G>,
  ): Table<R, U, G> {
    const known = this.#tables.get(definition);
    // The map is keyed by the definition, which has the types of the table stored under it.
    if (known !== undefined) return known as Table<R, U, G>;
    if (!this.#listed.includes(definition)) {
      throw new Error(
        `the table of kind ${JSON.stringify(definition.kind)} is not listed in src/sandbox/tables.ts`,
      );
    }
    const table = new Table(definition, this.#onWrite, this.#assumptions, this.#from?.get(definition));
    this.#tables.set(definition, table);
    return table;
  }

  anyTable(definition: AnyTable): Table<Row, string, string> {
    // Every declaration is created by defineTable; AnyTable only lacks the types.
    return this.table(definition as TableDefinition<Row, string, string>);
  }

  /** The place of a row in the order of tables, then of creation: tasks due at the same moment run in it. */
  orderOf(table: AnyTable, id: string): number {
    return this.#listed.indexOf(table) * TABLE_STEP + (this.anyTable(table).sequenceOf(id) ?? 0);
  }

  /** Takes a snapshot of all tables. Copies no rows. */
  snapshots(): TableSnapshots {
    if (this.#snapshots !== null) return this.#snapshots;
    this.#all ??= this.#listed.map(each => this.anyTable(each));
    const snapshots = new Array<TableSnapshot>(this.#all.length);
    let index = 0;
    for (const table of this.#all) snapshots[index++] = table.snapshot();
    this.#snapshots = new SnapshotList(this.#listed, snapshots);
    return this.#snapshots;
  }
}
