import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { errorText } from '../ui/format.ts';

export interface CachedValue<T> {
  /** Null until the first `load()` and after `clear()`. */
  readonly data: ReadonlySignal<T | null>;
  /** Why the last `load()` failed, or null. */
  readonly error: ReadonlySignal<string | null>;
  /** Reads the value. Overtakes every read that is in flight. When the request fails, the copy stays as it is. */
  load(): Promise<void>;
  /** Reads the value after the read that is in flight, if any, so that frequent changes cannot keep it from being shown. */
  refresh(): Promise<void>;
  /** Replaces the copy. Responses to reads in flight are ignored. */
  set(value: T): void;
  /** Changes the copy, and the response to a read in flight as well, which may be older. */
  update(change: (value: T | null) => T): void;
  /** Discards the copy. Responses to reads in flight are ignored. */
  clear(): void;
}

/** Creates an empty copy. `read` rejects when the request fails. */
export function cachedValue<T>(read: () => Promise<T>): CachedValue<T> {
  const data: Signal<T | null> = signal(null);
  const error: Signal<string | null> = signal(null);
  /** Changes with each `load`, `set` and `clear`. A response that belongs to an older generation is ignored. */
  let generation = 0;
  /** The updates since the read in flight began; null while there is none. */
  let updates: ((value: T | null) => T)[] | null = null;
  /** Settles when the last read has ended. */
  let lastRead: Promise<void> = Promise.resolve();
  /** The refresh that waits for it; null while there is none. */
  let waiting: Promise<void> | null = null;

  function replace(value: T | null): void {
    generation += 1;
    updates = null;
    batch(() => {
      data.value = value;
      error.value = null;
    });
  }

  async function readNow(): Promise<void> {
    generation += 1;
    const started = generation;
    const since: ((value: T | null) => T)[] = [];
    updates = since;
    try {
      const value = await read();
      if (generation === started) replace(since.reduce<T>((current, update) => update(current), value));
    } catch (failure) {
      if (generation !== started) return;
      updates = null;
      error.value = errorText(failure);
    }
  }

  function load(): Promise<void> {
    lastRead = readNow();
    return lastRead;
  }

  return {
    data,
    error,
    load,
    refresh() {
      waiting ??= lastRead.then(() => {
        waiting = null;
        return load();
      });
      return waiting;
    },
    set: replace,
    update(change) {
      updates?.push(change);
      data.value = change(data.value);
    },
    clear: () => replace(null),
  };
}

export interface CachedList<T> extends CachedValue<readonly T[]> {
  find(id: string): T | undefined;
  /** Replaces the records that it already has, and adds the others, of which the last is the newest. */
  put(records: readonly T[]): void;
}

/** Creates an empty list, of which `put` keeps the newest `max` records. */
export function cachedList<T extends { readonly id: string }>(
  read: () => Promise<readonly T[]>,
  max = Number.POSITIVE_INFINITY,
): CachedList<T> {
  const copy = cachedValue(read);
  const index = computed(() => byId(copy.data.value ?? []));
  return {
    ...copy,
    find: id => index.value.get(id),
    put(records) {
      const changed = byId(records);
      copy.update(rows => {
        const known = byId(rows ?? []);
        const added = [...changed.values()].filter(({ id }) => !known.has(id)).toReversed();
        return [...added, ...(rows ?? []).map(row => changed.get(row.id) ?? row)].slice(0, max);
      });
    },
  };
}

function byId<T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> {
  return new Map(records.map(record => [record.id, record]));
}
