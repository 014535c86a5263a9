import { signal } from '@preact/signals';
import { control } from '../../data/http.ts';
import type { JournalEntry } from '../../data/response-types.ts';

/** The requests that match a query, newest first. Null until they are read. */
export const matchingEntries = signal<readonly JournalEntry[] | null>(null);
/** Why they could not be read, or null. */
export const matchingError = signal<string | null>(null);
let lastQuery: string | null = null;

/** Reads the requests that match a query. A later call overtakes it. */
export async function readMatching(query: string | null): Promise<void> {
  if (query !== lastQuery) matchingEntries.value = null;
  lastQuery = query;
  matchingError.value = null;
  if (query === null) return;
  try {
    const found = await control<readonly JournalEntry[]>('GET', `/requests?${query}`);
    if (lastQuery === query) matchingEntries.value = found;
  } catch (error) {
    if (lastQuery === query) matchingError.value = error instanceof Error ? error.message : String(error);
  }
}
