import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ListReply } from './records/record-page.ts';

/** Reads the JSON at a path of the control plane. Rejects when the request fails. */
export type Read = <T>(path: string, signal?: AbortSignal) => Promise<T>;

/** The page's copy of a list of records, newest first. */
export interface Collection<T> {
  /** Null until the first `load()` and after `clear()`. */
  readonly rows: ReadonlySignal<readonly T[] | null>;
  /** The number of all records in the sandbox, of which `rows` may be the newest. Null like `rows`. */
  readonly total: ReadonlySignal<number | null>;
  /** Why the last `load()` failed, or null. */
  readonly error: ReadonlySignal<string | null>;
  /** Returns the record with this id, or undefined when the page does not have it. */
  find(id: string): T | undefined;
  /** Reads the whole list. Overtakes every read that is in flight. */
  load(): Promise<void>;
  /** Replaces the records that it already has and adds the others. */
  put(records: readonly T[]): void;
  /** Adds records at the top and keeps the first `max` rows. */
  prepend(records: readonly T[], max: number): void;
  /** Discards all records. Responses to reads in flight are ignored. */
  clear(): void;
}

/** Creates an empty collection of the list that `readList` reads. */
export function collection<T>(
  readList: () => Promise<ListReply<T>>,
  idOf: (record: T) => string,
): Collection<T> {
  const rows: Signal<readonly T[] | null> = signal(null);
  const readTotal: Signal<number | null> = signal(null);
  const error: Signal<string | null> = signal(null);
  const indexes = new WeakMap<readonly T[], Map<string, T>>();
  /** Changes with each `load` and `clear`. A response that belongs to an older generation is ignored. */
  let generation = 0;
  /** What has been added since the read in flight began, whose response may be older; null while there is none. */
  let arrived: (() => void)[] | null = null;

  function indexOf(records: readonly T[]): Map<string, T> {
    const known = indexes.get(records);
    if (known !== undefined) return known;
    const index = new Map(records.map(record => [idOf(record), record]));
    indexes.set(records, index);
    return index;
  }

  function find(id: string): T | undefined {
    return rows.value === null ? undefined : indexOf(rows.value).get(id);
  }

  async function load(): Promise<void> {
    generation += 1;
    const started = generation;
    const again: (() => void)[] = [];
    arrived = again;
    try {
      const { records, total } = await readList();
      if (generation !== started) return;
      arrived = null;
      batch(() => {
        rows.value = records;
        readTotal.value = total;
        error.value = null;
        for (const add of again) add();
      });
    } catch (failure) {
      if (generation !== started) return;
      arrived = null;
      error.value = failure instanceof Error ? failure.message : String(failure);
    }
  }

  /** Replaces the records that the copy already has. Returns the others. */
  function replace(records: readonly T[]): readonly T[] {
    const changed = new Map(records.map(record => [idOf(record), record]));
    const current = rows.value ?? [];
    const known = indexOf(current);
    if ([...changed.keys()].some(id => known.has(id))) {
      rows.value = current.map(row => changed.get(idOf(row)) ?? row);
    }
    return [...changed].flatMap(([id, record]) => (known.has(id) ? [] : [record]));
  }

  function put(records: readonly T[]): void {
    arrived?.push(() => put(records));
    const added = replace(records);
    if (added.length > 0 || rows.value === null) rows.value = [...added.toReversed(), ...(rows.value ?? [])];
  }

  function prepend(records: readonly T[], max: number): void {
    arrived?.push(() => prepend(records, max));
    const current = rows.value ?? [];
    const known = indexOf(current);
    rows.value = [...records.filter(record => !known.has(idOf(record))), ...current].slice(0, max);
  }

  return {
    rows,
    total: computed(() => (rows.value === null ? null : Math.max(readTotal.value ?? 0, rows.value.length))),
    error,
    load,
    put,
    find,
    prepend,
    clear() {
      generation += 1;
      arrived = null;
      rows.value = null;
    },
  };
}
