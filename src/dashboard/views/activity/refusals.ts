import type { JournalEntry } from '../../data/response-types.ts';

/** Requests that were refused in the same way. The id and the time are those of the newest. */
export interface RefusalGroup {
  readonly id: string;
  readonly at: string;
  readonly status: number;
  readonly operation: string | null;
  /** The message, without what differs between the requests. */
  readonly refusal: string;
  readonly count: number;
}

/** What differs between two messages of the same refusal: texts that were sent, ids, addresses and numbers. */
const VARYING = /"(?:\\.|[^"\\])*"|\b[a-z]+_\w{4,}\b|\S+@\S+|\d+/g;

function commonText(refusal: string): string {
  return refusal.replace(VARYING, '…');
}

/** Returns a text that is the same for requests that were refused in the same way, or null for one that was not. */
export function refusalOf({ refusal, status, operation, rule }: JournalEntry): string | null {
  if (refusal === null) return null;
  return [status, operation, rule?.id ?? rule?.section, commonText(refusal)].join(' ');
}

/** Returns the groups of refused requests, those with the most requests first. `rows` has the newest first. */
export function groupRefusals(rows: readonly JournalEntry[]): readonly RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>();
  for (const row of rows) {
    const key = refusalOf(row);
    if (key === null) continue;
    const { id, at, status, operation, refusal } = row;
    const known = groups.get(key) ?? { id, at, status, operation, refusal: refusal ?? '', count: 0 };
    // One request alone is shown as it is.
    const text = known.count === 0 ? known.refusal : commonText(known.refusal);
    groups.set(key, { ...known, refusal: text, count: known.count + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}
