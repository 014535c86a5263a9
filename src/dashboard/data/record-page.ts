import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type CachedValue, cachedValue } from './cached-value.ts';

/** A part of a list as the control plane returns it. `total` is null when it does not count the records. */
export interface ListReply<T> {
  readonly records: readonly T[];
  readonly total: number | null;
}

/** The page's copy of a part of a list, newest first. */
export interface RecordPage<T>
  extends Pick<CachedValue<ListReply<T>>, 'error' | 'load' | 'refresh' | 'clear'> {
  /** Null until the first `load()` has ended. */
  readonly rows: ReadonlySignal<readonly T[] | null>;
  /** The number of all records that match, or null when the sandbox does not count them. */
  readonly total: ReadonlySignal<number | null>;
  /** Whether the list continues after `rows`. */
  readonly hasMore: ReadonlySignal<boolean>;
  /** Whether records have changed since a search was made. */
  readonly isOutdated: ReadonlySignal<boolean>;
}

interface PageSource<T> {
  /** Reads so many records. Rejects when the request fails. */
  readonly read: (limit: number) => Promise<ListReply<T>>;
  /** Whether the sandbox reads all records to find those of the list. Such a list is read only on request. */
  readonly isSearch: boolean;
  readonly limit: number;
}

/** Creates a copy of a part of a list. It is empty until it is loaded. */
export function recordPage<T>({ read, isSearch, limit }: PageSource<T>): RecordPage<T> {
  // One record more than the page shows: without a total it shows whether the list continues.
  const { data, error, load, refresh, clear } = cachedValue(() => read(limit + 1));
  const isOutdated = signal(false);
  return {
    rows: computed(() => data.value?.records.slice(0, limit) ?? null),
    total: computed(() => data.value?.total ?? null),
    hasMore: computed(() => (data.value?.records.length ?? 0) > limit),
    isOutdated,
    error,
    async load() {
      await load();
      isOutdated.value = false;
    },
    async refresh() {
      if (isSearch) isOutdated.value = data.value !== null;
      else await refresh();
    },
    clear,
  };
}
