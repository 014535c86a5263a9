import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Changed records that one update reads by their ids. After more changes the whole list is read, a little later. */
const MAX_SINGLE_READS = 4;
/** The newest records that one update reads at most. */
const MAX_NEWEST = 200;
/** How many records more than were created are read, since others may be created in the meantime. */
const NEWEST_MARGIN = 20;

/** Reads the JSON at a path of the control plane. Rejects when the request fails. */
export type Read = <T>(path: string, signal?: AbortSignal) => Promise<T>;

/** Reads a list like `Read`. `total` is the number of all records; null when the response does not have it. */
export type ReadList = <T>(
  path: string,
) => Promise<{ readonly records: readonly T[]; readonly total: number | null }>;

/** What happened to records, by id, as the event stream reports it. */
export type Changes = ReadonlyMap<string, 'created' | 'updated' | 'deleted'>;

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
  /**
   * Reads the records that were created, and those that were changed and are in the copy. Resolves with whether the
   * copy is complete: if not, call `load` soon. Has no effect when `load` or `clear` overtakes it.
   */
  update(changes: Changes): Promise<boolean>;
  /** Lets the sandbox search for a text. The results can be found by id afterwards. Rejects like `Read`. */
  search(text: string, signal: AbortSignal): Promise<readonly T[]>;
  /** Replaces the records that it already has and adds the others. */
  put(records: readonly T[]): void;
  /** Adds records at the top and keeps the first `max` rows. */
  prepend(records: readonly T[], max: number): void;
  /** Discards all records. Responses to reads in flight are ignored. */
  clear(): void;
}

/** Where the records of a collection are. */
export interface CollectionSource<T> {
  readonly read: Read;
  readonly readList: ReadList;
  /** Returns the path of the newest records. Default: as many as the page holds. */
  readonly newest: (limit?: number) => string;
  /** Returns the path of one record. */
  readonly one: (id: string) => string;
  /** Returns the path of the records that contain a text. */
  readonly matching: (text: string) => string;
  readonly idOf: (record: T) => string;
  /** Whether `idOf` returns the id of changes. Otherwise any changed record may be in the copy. Default: true. */
  readonly hasChangeIds?: boolean;
}

/** Creates an empty collection. */
export function collection<T>(source: CollectionSource<T>): Collection<T> {
  const { read, readList, idOf, hasChangeIds = true } = source;
  const rows: Signal<readonly T[] | null> = signal(null);
  const readTotal: Signal<number | null> = signal(null);
  const error: Signal<string | null> = signal(null);
  /** Records that a search returned and that may not be among the newest. */
  const searched: Signal<ReadonlyMap<string, T>> = signal(new Map());
  const indexes = new WeakMap<readonly T[], Map<string, T>>();
  /** Changes with each `load` and `clear`. A response that belongs to an older generation is ignored. */
  let generation = 0;
  /** Settles when the last read has ended. Updates run one at a time, so that none overtakes another. */
  let lastRead: Promise<unknown> = Promise.resolve();

  function indexOf(records: readonly T[]): Map<string, T> {
    const known = indexes.get(records);
    if (known !== undefined) return known;
    const index = new Map(records.map(record => [idOf(record), record]));
    indexes.set(records, index);
    return index;
  }

  function find(id: string): T | undefined {
    return (rows.value === null ? undefined : indexOf(rows.value).get(id)) ?? searched.value.get(id);
  }

  function load(): Promise<void> {
    generation += 1;
    const loading = readAll(generation);
    lastRead = loading;
    return loading;
  }

  async function readAll(started: number): Promise<void> {
    try {
      const { records, total } = await readList<T>(source.newest());
      if (generation !== started) return;
      rows.value = records;
      readTotal.value = total;
      searched.value = new Map();
      error.value = null;
    } catch (failure) {
      if (generation === started) error.value = failure instanceof Error ? failure.message : String(failure);
    }
  }

  function update(changes: Changes): Promise<boolean> {
    const started = generation;
    const updating = lastRead.then(() => readChanges(changes, started));
    lastRead = updating;
    return updating;
  }

  async function readChanges(changes: Changes, started: number): Promise<boolean> {
    if (generation !== started) return true;
    if (rows.value === null) return false;
    const idsWith = (wanted: string) => [...changes].flatMap(([id, action]) => (action === wanted ? id : []));
    const deleted = new Set(idsWith('deleted'));
    const created = idsWith('created');
    const updated = idsWith('updated').filter(id => !hasChangeIds || find(id) !== undefined);
    if (deleted.size > 0) rows.value = rows.value.filter(row => !deleted.has(idOf(row)));
    const reads = updated.slice(0, MAX_SINGLE_READS).map(id => read<T>(source.one(id)).catch(() => null));
    const limit = Math.min(created.length * 2 + NEWEST_MARGIN, MAX_NEWEST);
    const newest =
      created.length + deleted.size === 0 ? null : await readList<T>(source.newest(limit)).catch(() => null);
    const records = (await Promise.all(reads)).filter(each => each !== null);
    if (generation !== started) return true;
    replace(records);
    put(newest?.records.toReversed() ?? []);
    readTotal.value = newest?.total ?? readTotal.value;
    const hasCreated = hasChangeIds
      ? created.every(id => find(id) !== undefined)
      : created.length <= MAX_NEWEST;
    return updated.length <= MAX_SINGLE_READS && hasCreated;
  }

  async function search(text: string, cancelled: AbortSignal): Promise<readonly T[]> {
    const started = generation;
    const found = await read<readonly T[]>(source.matching(text), cancelled);
    if (generation === started) searched.value = indexOf(found);
    return found;
  }

  /** Replaces the records that the copy already has. Returns the others. */
  function replace(records: readonly T[]): readonly T[] {
    const changed = new Map(records.map(record => [idOf(record), record]));
    const isIn = (copy: ReadonlyMap<string, T>) => [...changed.keys()].some(id => copy.has(id));
    const current = rows.value ?? [];
    const known = indexOf(current);
    if (isIn(known)) rows.value = current.map(row => changed.get(idOf(row)) ?? row);
    if (isIn(searched.value)) {
      searched.value = new Map([...searched.value].map(([id, row]) => [id, changed.get(id) ?? row]));
    }
    return [...changed].flatMap(([id, record]) => (known.has(id) ? [] : [record]));
  }

  function put(records: readonly T[]): void {
    const added = replace(records);
    if (added.length > 0 || rows.value === null) rows.value = [...added.toReversed(), ...(rows.value ?? [])];
  }

  return {
    rows,
    total: computed(() => (rows.value === null ? null : Math.max(readTotal.value ?? 0, rows.value.length))),
    error,
    load,
    update,
    search,
    put,
    find,
    prepend(records, max) {
      const current = rows.value ?? [];
      const known = indexOf(current);
      rows.value = [...records.filter(record => !known.has(idOf(record))), ...current].slice(0, max);
    },
    clear() {
      generation += 1;
      rows.value = null;
      searched.value = new Map();
    },
  };
}
