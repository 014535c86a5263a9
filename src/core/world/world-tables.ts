import type { AssumptionValues } from '../operation/assumption-values.ts';
import { type LogMark, WriteLog } from '../store/persistent/write-log.ts';
import { Table } from '../store/table.ts';
import type { AnyTable, Row, TableDefinition, Write } from '../store/table-definition.ts';
import type { TableSnapshot } from '../store/table-snapshot.ts';
import type { TableSnapshots } from './world-snapshot.ts';

/** A place among the writes of a world. */
export type TablesMark = LogMark<Write, TableSnapshots>;

/** The tables of a world, each created on first use. */
export class WorldTables {
  readonly #listed: ReadonlySet<AnyTable>;
  readonly #onWrite: (write: Write) => void;
  readonly #from: TableSnapshots | undefined;
  readonly #tables = new Map<AnyTable, unknown>();
  readonly #assumptions: AssumptionValues;
  readonly #writes: WriteLog<Write, TableSnapshots>;

  /** `listed` are all tables that a world may have. `onWrite` is called after each write. */
  constructor(
    listed: readonly AnyTable[],
    onWrite: (write: Write) => void,
    assumptions: AssumptionValues,
    from?: TableSnapshots,
  ) {
    this.#listed = new Set(listed);
    this.#assumptions = assumptions;
    this.#from = from;
    this.#onWrite = write => {
      this.#writes.add(write);
      onWrite(write);
    };
    this.#writes = new WriteLog(
      () => this.snapshots(true),
      (after, writes) => undone(after, writes, assumptions),
    );
  }

  /** Returns a table. Throws for one that is not listed, since saved states would lack it. */
  table<R extends Row, U extends string, G extends string>(
    definition: TableDefinition<R, U, G>,
  ): Table<R, U, G> {
    const known = this.#tables.get(definition);
    // The map is keyed by the definition, whose types are those of the table stored under it.
    if (known !== undefined) return known as Table<R, U, G>;
    if (!this.#listed.has(definition)) {
      throw new Error(
        `the table of kind ${JSON.stringify(definition.kind)} is not listed in src/sandbox/tables.ts`,
      );
    }
    const table = new Table(definition, this.#onWrite, this.#assumptions, this.#from?.get(definition));
    this.#tables.set(definition, table);
    return table;
  }

  /** Returns a table whose declaration has no types for rows and indexes. */
  anyTable(definition: AnyTable): Table<Row, string, string> {
    return this.table(typed(definition));
  }

  /** Takes a snapshot of all tables, a brief one for the history. Copies no rows. */
  snapshots(isBrief = false): TableSnapshots {
    const snapshots = new Map<AnyTable, TableSnapshot>();
    for (const each of this.#listed) snapshots.set(each, this.anyTable(each).snapshot(isBrief));
    return snapshots;
  }

  /** Takes note of the tables as they are now. */
  mark(): TablesMark {
    return this.#writes.mark();
  }

  /** Returns the snapshots of the tables at a mark. */
  at(mark: TablesMark): TableSnapshots {
    return this.#writes.at(mark);
  }
}

/** Returns a declaration with the widest types of rows and indexes. */
function typed(definition: AnyTable): TableDefinition<Row, string, string> {
  // Every declaration is created by defineTable; AnyTable only lacks the types.
  return definition as TableDefinition<Row, string, string>;
}

function undone(
  after: TableSnapshots,
  writes: readonly Write[],
  assumptions: AssumptionValues,
): TableSnapshots {
  const before = new Map(after);
  const tables = new Map<AnyTable, Table<Row, string, string>>();
  for (const write of writes) {
    const definition = write.table;
    const table =
      tables.get(definition) ??
      new Table(typed(definition), () => undefined, assumptions, after.get(definition));
    tables.set(definition, table);
    table.undo(write);
  }
  for (const [definition, table] of tables) before.set(definition, table.snapshot());
  return before;
}
