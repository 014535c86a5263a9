import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { cachedValue } from './cached-value.ts';
import { controlList, RequestError, read } from './http.ts';
import { keepUpToDate, useReading } from './readings.ts';
import type {
  Card,
  Cardholder,
  Delivery,
  JournalEntry,
  KycSession,
  ListedTransaction,
  ShareToken,
} from './response-types.ts';
import { partner, partners } from './store.ts';

export interface RecordList<T> {
  /** What one of them is called. */
  readonly kind: string;
  readonly path: string;
  idOf(record: T): string;
  /** Whether a search finds a record by its id, because no operation reads a single one. */
  readonly isSearchedById?: true;
  /** The filters for which the sandbox has no index. */
  readonly searches?: readonly string[];
}

/** What selects the records of a list. An empty text selects all. */
export interface RecordQuery {
  readonly q?: string;
  readonly filters?: Readonly<Record<string, string>>;
  readonly offset?: number;
  readonly limit: number;
}

const idOf = ({ id }: { readonly id: string }) => id;

export const cardholders: RecordList<Cardholder> = { kind: 'cardholder', path: '/cardholders', idOf };
export const cards: RecordList<Card> = { kind: 'card', path: '/cards', idOf };
export const transactions: RecordList<ListedTransaction> = {
  kind: 'transaction',
  path: '/transactions',
  idOf,
};
export const kycSessions: RecordList<KycSession> = {
  kind: 'KYC session',
  path: '/kyc-sessions',
  idOf,
  isSearchedById: true,
};
export const shareTokens: RecordList<ShareToken> = {
  kind: 'share token',
  path: '/share-tokens',
  idOf: ({ token }) => token,
  isSearchedById: true,
  searches: ['state', 'source'],
};

export const deliveries: RecordList<Delivery> = { kind: 'delivery', path: '/deliveries', idOf };
/** Selects the deliveries that are not sent again by themselves. */
export const FAILED = { status: 'failed' } satisfies Partial<Delivery>;
export const requests: RecordList<JournalEntry> = { kind: 'request', path: '/requests', idOf };

function selection({ q = '', filters = {} }: Omit<RecordQuery, 'limit'>): [string, string][] {
  return Object.entries({ ...filters, q }).filter(([, text]) => text !== '');
}

function pathTo<T>({ path }: RecordList<T>, query: Omit<RecordQuery, 'limit'>, partnerId: string): string {
  return `${path}?${new URLSearchParams([['partnerId', partnerId], ...selection(query)])}`;
}

/** A part of a list, newest first. The signals are null until it is read; `total` is null for a search, too. */
export type RecordPage<T> = ReturnType<typeof pageOf<T>>;

function pageOf<T>(list: RecordList<T>, query: RecordQuery, partnerId: string) {
  const { limit, offset = 0 } = query;
  const { searches = [] } = list;
  // The sandbox reads all records for a search. It is made again only on request.
  const isSearch = selection(query).some(([name]) => name === 'q' || searches.includes(name));
  const leaving = new AbortController();
  // One record more than the page shows: without a total it shows whether the list continues.
  const path = `${pathTo(list, query, partnerId)}&limit=${limit + 1}&offset=${offset}`;
  const page = cachedValue(() => controlList<T>(path, leaving.signal));
  return {
    ...page,
    isSearch,
    rows: computed(() => page.data.value?.records.slice(0, limit) ?? null),
    total: computed(() => page.data.value?.total ?? null),
    hasMore: computed(() => (page.data.value?.records.length ?? 0) > limit),
    refresh: isSearch ? async () => {} : page.refresh,
    clear() {
      page.clear();
      // The sandbox ends a search that nobody waits for.
      leaving.abort();
    },
  };
}

/** Reads a part of a list and keeps it up to date while it is shown. Null until the partner is known. */
export function usePage<T>(list: RecordList<T>, query: RecordQuery): RecordPage<T> | null {
  const partnerId = partner.value?.id;
  // What the page depends on: the query itself is a new object each time.
  const key = partnerId === undefined ? null : JSON.stringify([list.path, partnerId, query]);
  const page = useMemo(() => (partnerId === undefined ? null : pageOf(list, query, partnerId)), [key]);
  useEffect(() => (page === null ? undefined : keepUpToDate(page)), [page]);
  return page;
}

/** Reads the newest records that a list selects, and keeps them up to date. Null until they are read. */
export function useRows<T>(list: RecordList<T>, filters: RecordQuery['filters'], limit: number) {
  return usePage(list, { ...(filters && { filters }), limit })?.rows.value ?? null;
}

/** Returns the number of records that a list selects, and keeps it up to date. Null until it is read. */
export function useTotal<T>(list: RecordList<T>, filters: RecordQuery['filters'] = {}): number | null {
  return usePage(list, { filters, limit: 1 })?.total.value ?? null;
}

/** Reads a record of any partner by its id and keeps it up to date. Undefined until it is read; null when there is none. */
export function useRecord<T>(list: RecordList<T>, id: string): T | null | undefined {
  const copy = useMemo(() => cachedValue(async () => ({ record: await readRecord(list, id) })), [list, id]);
  useReading(copy);
  return copy.data.value?.record;
}

/** Reads a record of any partner by its id. Resolves to null when there is none, and rejects when the request fails. */
export async function readRecord<T>(
  { path, idOf, isSearchedById }: RecordList<T>,
  id: string,
): Promise<T | null> {
  if (isSearchedById === undefined)
    return read<T>(`${path}/${encodeURIComponent(id)}`).catch(error => {
      if (error instanceof RequestError && error.status === 404) return null;
      throw error;
    });
  // Nearly always it is the selected partner's.
  const owners = new Set([partner.value, ...(partners.data.value ?? [])]);
  for (const owner of owners) {
    const query = new URLSearchParams({ partnerId: owner?.id ?? '', q: id, limit: '1' });
    const [found] = await read<readonly T[]>(`${path}?${query}`);
    if (found !== undefined && idOf(found) === id) return found;
  }
  return null;
}

/** Reads the newest records that a list selects, once, for the choices of a form. Without a response there are none. */
export async function readRows<T>(
  list: RecordList<T>,
  { limit, ...query }: RecordQuery,
): Promise<readonly T[]> {
  const path = pathTo(list, query, partner.value?.id ?? '');
  return read<readonly T[]>(`${path}&limit=${limit}`).catch(() => []);
}
