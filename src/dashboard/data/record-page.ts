import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { errorText } from '../ui/format.ts';
import { cachedValue, type Read } from './cached-value.ts';
import { type Changes, idsWith, type Reading } from './readings.ts';

/** Changed records that one update reads by their ids. After more changes the page of the list is read again. */
const MAX_SINGLE_READS = 4;

/** A list as the control plane returns it. `total` is null when it does not count the records. */
export interface ListReply<T> {
  readonly records: readonly T[];
  readonly total: number | null;
}

/** Where the records of a page are. */
export interface PageSource<T> {
  /** Reads a part of the list. Rejects when the request fails. */
  readonly readList: (offset: number, limit: number) => Promise<ListReply<T>>;
  /** Rejects when there is none. */
  readonly readOne: (id: string) => Promise<T>;
  readonly idOf: (record: T) => string;
  /** Whether the sandbox reads all records to find those of the list. Such a list is read only on request. */
  readonly isSearch: boolean;
  /** Whether the list has only some of the records, so that a changed one may enter or leave it. */
  readonly isFiltered: boolean;
  /** Whether `idOf` returns the id of changes. Otherwise any changed record may be on the page. */
  readonly hasChangeIds: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** The page's copy of a part of a list, newest first. */
export interface RecordPage<T> extends Reading {
  /** Null until the first `load()` has ended. */
  readonly rows: ReadonlySignal<readonly T[] | null>;
  /** The number of all records that match, or null when the sandbox does not count them. */
  readonly total: ReadonlySignal<number | null>;
  /** Whether the list goes on after `rows`. */
  readonly hasMore: ReadonlySignal<boolean>;
  /** Whether records have changed that may belong to the list, since a search was made. */
  readonly isOutdated: ReadonlySignal<boolean>;
  /** Why the last `load()` failed, or null. */
  readonly error: ReadonlySignal<string | null>;
}

/** Creates a copy of a part of a list. It is empty until it is loaded. */
export function recordPage<T>(source: PageSource<T>): RecordPage<T> {
  const { readList, readOne, idOf, isSearch, isFiltered, hasChangeIds, offset, limit } = source;
  const rows: Signal<readonly T[] | null> = signal(null);
  const total: Signal<number | null> = signal(null);
  const hasMore = signal(false);
  const isOutdated = signal(false);
  const error: Signal<string | null> = signal(null);
  /** Changes with each `load`, which overtakes everything that is in flight. */
  let generation = 0;
  /** Settles when the last read has ended. Updates run one at a time, so that none overtakes another. */
  let lastRead: Promise<void> = Promise.resolve();

  async function readPage(started: number): Promise<void> {
    try {
      // One record more than the page shows: without a total it tells whether the list goes on.
      const { records, total: counted } = await readList(offset, limit + 1);
      if (generation !== started) return;
      rows.value = records.slice(0, limit);
      hasMore.value = records.length > limit;
      total.value = counted;
      isOutdated.value = false;
      error.value = null;
    } catch (failure) {
      if (generation === started) error.value = errorText(failure);
    }
  }

  async function readTotal(started: number): Promise<void> {
    const counted = await readList(0, 1).catch(() => null);
    if (generation === started && counted !== null) total.value = counted.total;
  }

  async function readRows(ids: readonly string[], started: number): Promise<void> {
    const read = await Promise.all(ids.map(id => readOne(id).catch(() => null)));
    if (generation !== started) return;
    const changed = new Map(read.flatMap(record => (record === null ? [] : [[idOf(record), record]])));
    rows.value = rows.value?.map(row => changed.get(idOf(row)) ?? row) ?? null;
  }

  async function readChanges(changes: Changes, started: number): Promise<void> {
    if (generation !== started || rows.value === null) return;
    const known = new Set(rows.value.map(idOf));
    const created = idsWith(changes, 'created');
    const deleted = new Set(idsWith(changes, 'deleted'));
    const updated = idsWith(changes, 'updated');
    const shown = updated.filter(id => known.has(id));
    if (isSearch) {
      isOutdated.value ||= created.length > 0 || shown.length < updated.length;
      rows.value = rows.value.filter(row => !deleted.has(idOf(row)));
      await readRows(shown, started);
      return;
    }
    const isMoved = deleted.size > 0 || (offset === 0 && created.length > 0);
    const isEntered = isFiltered && (updated.length > 0 || created.length > 0);
    const isUnknown = !hasChangeIds && updated.length > 0;
    if (isMoved || isEntered || isUnknown || shown.length > MAX_SINGLE_READS) await readPage(started);
    else {
      // Further down the list, what is created moves no row from under the eyes of the reader.
      await Promise.all([readRows(shown, started), created.length > 0 && readTotal(started)]);
    }
  }

  return {
    rows,
    total,
    hasMore,
    isOutdated,
    error,
    load() {
      generation += 1;
      lastRead = readPage(generation);
      return lastRead;
    },
    update(changes) {
      const started = generation;
      lastRead = lastRead.then(() => readChanges(changes, started));
      return lastRead;
    },
    stop() {
      generation += 1;
    },
  };
}

export interface OneRecord<T> extends Reading {
  /** Undefined until the first `load()` has ended; null when it does not exist. */
  readonly row: ReadonlySignal<T | null | undefined>;
}

/** Creates a copy of the record at `path`. `hasChangeIds` is whether its id is the id of changes. */
export function oneRecord<T>(read: Read, id: string, path: string, hasChangeIds: boolean): OneRecord<T> {
  const { data, error, load, clear } = cachedValue<T>(read, () => path);
  return {
    row: computed(() => (error.value === null ? (data.value ?? undefined) : null)),
    load,
    async update(changes) {
      if (!hasChangeIds || changes.has(id)) await load();
    },
    stop: clear,
  };
}
