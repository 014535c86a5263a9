import { IndexedRows, type Indexing, type RowsSnapshot } from './persistent/indexed-rows.ts';
import type { Row } from './table-definition.ts';

/** The rows of a snapshot. */
export interface SnapshotRows {
  readonly size: number;
  /** The rows, in the order of creation. */
  values(): Iterable<Row>;
  /** Their ids, in the order of creation. */
  keys(): Iterable<string>;
  /** Whether there is a row with this id. */
  has(id: string): boolean;
}

/** The immutable contents of a table at one moment. Any number of tables can be created from it. */
export interface TableSnapshot {
  /** The rows with their indexes, for a table of the same definition. */
  readonly contents: unknown;
  readonly rows: SnapshotRows;
}

/** Returns the snapshot of a table with these contents. */
export function tableSnapshot<R extends Row>(
  contents: RowsSnapshot<R>,
  indexing: Indexing<R>,
): TableSnapshot {
  const { rows, size } = contents;
  let indexed: IndexedRows<R> | null = null;
  return {
    contents,
    rows: {
      size,
      values: () => rows,
      keys: () => idsOf(rows),
      has(id) {
        indexed ??= new IndexedRows(indexing, contents);
        return indexed.find(0, id) !== undefined;
      },
    },
  };
}

function* idsOf(rows: Iterable<Row>): Generator<string> {
  for (const { id } of rows) yield id;
}
