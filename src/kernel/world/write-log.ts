import { Table, type TableWrite } from '../store/table.ts';
import type { AnyTable, Row, TableDefinition } from '../store/table-definition.ts';
import type { TableSnapshots } from './world-snapshot.ts';

/** The most marks and writes of one segment. To undo them takes a few milliseconds. */
const MAX_MARKS = 64;
const MAX_WRITES = 1_000;

/** Writes, and the tables after them. */
interface Segment {
  readonly writes: { readonly table: AnyTable; readonly write: TableWrite }[];
  marks: number;
  /** The tables after the writes; null while there are more to come. */
  end: TableSnapshots | null;
}

/**
 * Takes note of the tables at many moments. After a snapshot, each write copies the nodes on its way, so there is a
 * snapshot for every 64 moments only. Those between are found from the next snapshot, by undoing the writes before it.
 */
export class WriteLog {
  readonly #takeSnapshots: () => TableSnapshots;
  /** The writes since the last snapshot; null when no moment would need them. */
  #open: Segment | null = null;

  /** `takeSnapshots` takes snapshots of all tables. */
  constructor(takeSnapshots: () => TableSnapshots) {
    this.#takeSnapshots = takeSnapshots;
  }

  /** Takes note of the tables as they are now. Returns the function that returns them. */
  mark(): () => TableSnapshots {
    if ((this.#open?.marks ?? 0) >= MAX_MARKS) this.#close();
    this.#open ??= { writes: [], marks: 0, end: null };
    const segment = this.#open;
    segment.marks += 1;
    const position = segment.writes.length;
    return () => undone(segment.end ?? this.#takeSnapshots(), segment.writes.slice(position));
  }

  /** Logs a write. */
  add(table: AnyTable, write: TableWrite): void {
    if (this.#open === null) return;
    this.#open.writes.push({ table, write });
    if (this.#open.writes.length >= MAX_WRITES) this.#close();
  }

  #close(): void {
    if (this.#open !== null) this.#open.end = this.#takeSnapshots();
    this.#open = null;
  }
}

/** Returns the tables as they were before some writes, given those after them. */
function undone(after: TableSnapshots, writes: Segment['writes']): TableSnapshots {
  const before = new Map(after);
  const tables = new Map<AnyTable, Table<Row, string, string>>();
  for (const { table: definition, write } of writes.toReversed()) {
    let table = tables.get(definition);
    if (table === undefined) {
      // Every declaration is created by defineTable; AnyTable only lacks the types of its rows and indexes.
      const typed = definition as TableDefinition<Row, string, string>;
      table = new Table(typed, () => undefined, after.get(definition));
      tables.set(definition, table);
    }
    table.undo(write);
  }
  for (const [definition, table] of tables) before.set(definition, table.snapshot());
  return before;
}
