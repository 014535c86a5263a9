import { useEffect } from 'preact/hooks';
import type { CachedValue } from './cached-value.ts';

/** Something that a page shows and that is read again whenever something happens in the sandbox. */
type Reading = Pick<CachedValue<unknown>, 'load' | 'refresh' | 'clear'>;

const shown = new Set<Reading>();
/** Whether changes are reported. Everything is read at that moment, so nothing needs to be read before it. */
let isLive = false;

/** Reads something once changes are reported, and keeps it up to date. Returns a function that ends it. */
export function keepUpToDate(reading: Reading): () => void {
  shown.add(reading);
  if (isLive) void reading.load();
  return () => {
    shown.delete(reading);
    reading.clear();
  };
}

export function useReading(reading: Reading): void {
  useEffect(() => keepUpToDate(reading), [reading]);
}

/** Discards a reading, and reads it again if it is shown. */
export function readAgain(reading: Reading): void {
  reading.clear();
  if (shown.has(reading)) void reading.load();
}

export function refreshReadings(): void {
  for (const reading of shown) void reading.refresh();
}

export async function loadReadings(): Promise<void> {
  isLive = true;
  await Promise.all([...shown].map(reading => reading.load()));
}
