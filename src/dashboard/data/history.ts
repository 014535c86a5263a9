import { collection } from './collection.ts';
import { control, controlList, openStream } from './http.ts';
import type { HistoryEntry } from './response-types.ts';

/** What changed the world from outside, newest first. Read while its page is open, since few look at it. */
export const historyEntries = collection<HistoryEntry>(
  () => controlList('/history'),
  ({ id }) => id,
);

/** Goes back to the state before an entry. Resolves with the number of entries that were undone. */
export async function goBackTo(id: string): Promise<number> {
  const { undone } = await control<{ readonly undone: number }>('POST', '/rewind', { to: id });
  await historyEntries.load();
  return undone;
}

/** The formats of an export, with the name of its file. */
export const EXPORTS = [
  { format: 'scenario', label: 'Scenario', file: 'history.yaml' },
  { format: 'har', label: 'HAR', file: 'history.har' },
  { format: 'curl', label: 'curl', file: 'history.sh' },
] as const;

/** Reads an export as a file. */
export async function exportHistory(format: (typeof EXPORTS)[number]['format']): Promise<Blob> {
  return new Response(await openStream(`/history/export?format=${format}`)).blob();
}
