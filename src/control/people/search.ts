import { ApiError, assumed } from '../../core/operation/errors.ts';
import type { RowList } from '../../core/store/persistent/row-list.ts';
import type { Table } from '../../core/store/table.ts';
import type { Row } from '../../core/store/table-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';

/** The most rows, and the wall time in milliseconds, of a search in one turn of the event loop. */
const ROWS_PER_TURN = 1_000;
const TURN_MS = 2;

/** Rows that are read before the time is looked at. */
const ROWS_PER_LOOK = 32;

/** Rows that a search reads after an exact match, which is nearly always what was searched for. */
const ROWS_BESIDE_EXACT = 5_000;

/** A search of rows, newest first. */
export interface Search<R extends Row> {
  readonly state: WorldState;
  readonly table: Pick<Table<R>, 'get' | 'sequenceOf'>;
  /** Returns the rows to search, in the order of creation. A list is valid until the next write. */
  readonly rows: () => RowList<R>;
  /** Rows that an index finds by the whole text. They come first. */
  readonly exact: readonly R[];
  readonly matches: (row: R) => boolean;
  /** The search ends when it has found this many rows. */
  readonly max: number;
  /** Aborted when the caller is gone, which ends the search. */
  readonly signal: AbortSignal;
}

/**
 * Returns the rows that match, as they are when the search ends. It gives way to other requests, so rows may be changed
 * or deleted in the meantime. Throws a 409 when the world is replaced.
 */
export async function searchRows<R extends Row>(search: Search<R>): Promise<R[]> {
  const { state, table, rows, exact, matches, max, signal } = search;
  const found = new Set(exact.map(({ id }) => id));
  let left = exact.length === 0 ? Number.POSITIVE_INFINITY : ROWS_BESIDE_EXACT;
  /** The sequence number of the last row that was read. */
  let last = Number.POSITIVE_INFINITY;
  while (left > 0 && found.size < max) {
    const list = rows();
    let read = 0;
    const endsAt = state.realTime.elapsed() + TURN_MS;
    let isPaused = false;
    for (const row of list.newestFirst(list.since(last).length)) {
      if (left === 0 || found.size >= max) break;
      const isLate = read % ROWS_PER_LOOK === 0 && state.realTime.elapsed() >= endsAt;
      isPaused = read === ROWS_PER_TURN || (isLate && read > 0);
      if (isPaused) break;
      read += 1;
      left -= 1;
      last = table.sequenceOf(row.id) ?? last;
      if (matches(row)) found.add(row.id);
    }
    if (!isPaused) break;
    await nextTurn(state);
    if (signal.aborted) return [];
  }
  return [...found].slice(0, max).flatMap(id => table.get(id) ?? []);
}

async function nextTurn(state: WorldState): Promise<void> {
  await new Promise<void>(resolve => state.realTime.after(0, resolve));
  if (!state.ended.aborted) return;
  const message = 'the sandbox was reset or stopped during the search; send the request again';
  throw new ApiError(409, assumed('control-records'), message);
}

/** Whether a member of an object or array, at any depth, contains the lower-case text. Skips members named `hidden`. */
export function containsText(members: object, text: string, hidden: string): boolean {
  // Unlike Object.values, this creates nothing for each row.
  for (const name in members) {
    if (name === hidden) continue;
    const value: unknown = members[name as keyof typeof members];
    if (typeof value === 'string') {
      if (value.toLowerCase().includes(text)) return true;
    } else if (typeof value === 'object' && value !== null && containsText(value, text, hidden)) return true;
  }
  return false;
}
