/** What happened to records, by id, as the event stream reports it. */
export type Changes = ReadonlyMap<string, 'created' | 'updated' | 'deleted'>;

/** Something that a page shows and that is read again when records change. */
export interface Reading {
  /** Reads everything. Overtakes what is in flight. */
  load(): Promise<void>;
  /** Reads what these changes concern. */
  update(changes: Changes): Promise<void>;
  /** Ignores what is in flight. */
  stop(): void;
}

/** What the pages show now, by the kind of record. */
const shown = new Map<string, Set<Reading>>();
/** Whether changes are heard of. Everything is read at that moment, so nothing needs to be read before it. */
let isLive = false;

/**
 * Reads something, once changes are heard of, and keeps it up to date with a kind of record. Returns a function that ends
 * it.
 */
export function keepUpToDate(kind: string, reading: Reading): () => void {
  const readings = shown.get(kind) ?? new Set();
  shown.set(kind, readings.add(reading));
  if (isLive) void reading.load();
  return () => {
    readings.delete(reading);
    reading.stop();
  };
}

/** Reads what changes of a kind of record concern. */
export function updateReadings(kind: string, changes: Changes): void {
  for (const reading of shown.get(kind) ?? []) void reading.update(changes);
}

/** Reads what the pages show of a kind of record, by default of all. */
export async function loadReadings(kind?: string): Promise<void> {
  isLive = true;
  const readings = kind === undefined ? [...shown.values()] : [shown.get(kind) ?? []];
  await Promise.all(readings.flatMap(each => [...each].map(reading => reading.load())));
}

export function idsWith(changes: Changes, action: 'created' | 'updated' | 'deleted'): readonly string[] {
  return [...changes].flatMap(([id, each]) => (each === action ? id : []));
}
