import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** More records than this are refreshed by one read of the whole list. */
const MAX_SINGLE_READS = 12;

/** Reads the JSON at a path of the control plane. Rejects when the request fails. */
export type Read = <T>(path: string) => Promise<T>;

/** The page's copy of a list of records, newest first. */
export interface Collection<T> {
  /** Null until the first `load()` and after `clear()`. */
  readonly rows: ReadonlySignal<readonly T[] | null>;
  /** Why the last `load()` failed, or null. */
  readonly error: ReadonlySignal<string | null>;
  /** Returns the record with this id, or undefined when the page does not have it. */
  find(id: string): T | undefined;
  /** Reads the whole list. Overtakes every read that is in flight. */
  load(): Promise<void>;
  /** Reads the records with these ids, new ones included. Has no effect when `load` or `clear` overtakes it. */
  refresh(ids: ReadonlySet<string>): Promise<void>;
  /** Replaces the records that it already has and adds the others. */
  put(records: readonly T[]): void;
  /** Adds records at the top and keeps the first `max` rows. */
  prepend(records: readonly T[], max: number): void;
  /** Discards all records. Responses to reads in flight are ignored. */
  clear(): void;
}

/** Where the records of a collection are. */
export interface CollectionPaths<T> {
  /** Returns the path of the whole list. */
  readonly all: () => string;
  /** Returns the path of one record. The response is that record or a list with it. */
  readonly one: (id: string) => string;
  readonly idOf: (record: T) => string;
}

/** Creates an empty collection that reads its records with `read`. */
export function collection<T>(read: Read, { all, one, idOf }: CollectionPaths<T>): Collection<T> {
  const rows: Signal<readonly T[] | null> = signal(null);
  const error: Signal<string | null> = signal(null);
  const indexes = new WeakMap<readonly T[], Map<string, T>>();
  /** Changes with each `load` and `clear`. A response that belongs to an older generation is ignored. */
  let generation = 0;
  /** Settles when the last read has ended. Refreshes run one at a time, so that none overtakes another. */
  let lastRead: Promise<void> = Promise.resolve();

  function indexOf(records: readonly T[]): Map<string, T> {
    const known = indexes.get(records);
    if (known !== undefined) return known;
    const index = new Map(records.map(record => [idOf(record), record]));
    indexes.set(records, index);
    return index;
  }

  function load(): Promise<void> {
    generation += 1;
    lastRead = readAll(generation);
    return lastRead;
  }

  async function readAll(started: number): Promise<void> {
    try {
      const records = await read<readonly T[]>(all());
      if (generation !== started) return;
      rows.value = records;
      error.value = null;
    } catch (failure) {
      if (generation === started) error.value = failure instanceof Error ? failure.message : String(failure);
    }
  }

  function refresh(ids: ReadonlySet<string>): Promise<void> {
    const started = generation;
    lastRead = lastRead.then(() => readSome(ids, started));
    return lastRead;
  }

  async function readSome(ids: ReadonlySet<string>, started: number): Promise<void> {
    if (generation !== started) return;
    if (rows.value === null || ids.size > MAX_SINGLE_READS) return load();
    const reads = [...ids].map(id => read<T | readonly T[]>(one(id)).catch(() => []));
    // `flatMap` takes a record and a list alike, which its type does not express for a generic T.
    const records = (await Promise.all(reads)).flatMap(each => each as T | T[]);
    if (generation === started) put(records);
  }

  function put(records: readonly T[]): void {
    const current = rows.value ?? [];
    const known = indexOf(current);
    const changed = new Map(records.map(record => [idOf(record), record]));
    const added = [...changed.values()].filter(record => !known.has(idOf(record)));
    rows.value = [...added.reverse(), ...current.map(row => changed.get(idOf(row)) ?? row)];
  }

  return {
    rows,
    error,
    load,
    refresh,
    put,
    find: id => (rows.value === null ? undefined : indexOf(rows.value).get(id)),
    prepend(records, max) {
      const current = rows.value ?? [];
      const known = indexOf(current);
      rows.value = [...records.filter(record => !known.has(idOf(record))), ...current].slice(0, max);
    },
    clear() {
      generation += 1;
      rows.value = null;
    },
  };
}
