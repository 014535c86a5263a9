import type { CachedValue } from './cached-value.ts';

/** Something that a page shows and that is read again when records change. */
export type Reading = Pick<CachedValue<unknown>, 'load' | 'refresh' | 'clear'>;

/** What the pages show now, by the kind of record. */
const shown = new Map<string, Set<Reading>>();
/** Whether changes are reported. Everything is read at that moment, so nothing needs to be read before it. */
let isLive = false;

/** Reads something once changes are reported, and keeps it up to date with a kind of record. Returns a function that ends it. */
export function keepUpToDate(kind: string, reading: Reading): () => void {
  const readings = shown.get(kind) ?? new Set();
  shown.set(kind, readings.add(reading));
  if (isLive) void reading.load();
  return () => {
    readings.delete(reading);
    reading.clear();
  };
}

/** Refreshes what the pages show of a kind of record. */
export function refreshReadings(kind: string): void {
  for (const reading of shown.get(kind) ?? []) void reading.refresh();
}

/** Reads everything that the pages show. */
export async function loadReadings(): Promise<void> {
  isLive = true;
  await Promise.all([...shown.values()].flatMap(each => [...each].map(reading => reading.load())));
}
