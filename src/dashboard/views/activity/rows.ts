import type { HistoryEntry, JournalEntry } from '../../data/response-types.ts';

/** A request of the journal; or a call of the control plane or a decision on a hosted page, which only the history has. */
export type ActivityRow = JournalEntry | HistoryEntry;

export function isRequest(row: ActivityRow): row is JournalEntry {
  return 'durationMs' in row;
}

/** Returns requests with what the history has between them, newest first as both lists are. */
export function withControlCalls(
  requests: readonly JournalEntry[],
  entries: readonly HistoryEntry[],
): readonly ActivityRow[] {
  const places = new Map(requests.map(({ id }, index) => [id, index]));
  const rows: ActivityRow[] = [];
  let next = 0;
  for (const entry of entries) {
    const { requestId } = entry;
    if (requestId === undefined) {
      rows.push(entry);
      continue;
    }
    const end = (places.get(requestId) ?? -1) + 1;
    // The requests before it may be newer than the copy of the history.
    rows.push(...requests.slice(next, end));
    next = Math.max(next, end);
  }
  return [...rows, ...requests.slice(next)];
}
