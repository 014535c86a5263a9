import { useEffect, useMemo } from 'preact/hooks';
import { cachedValue } from './cached-value.ts';
import { controlList, read } from './http.ts';
import { keepUpToDate } from './readings.ts';
import { type RecordPage, recordPage } from './record-page.ts';
import type {
  Card,
  Cardholder,
  JournalEntry,
  KycSession,
  ListedTransaction,
  ShareToken,
} from './response-types.ts';
import { partner, partners } from './store.ts';

export interface RecordList<T> {
  /** Its name in the messages about changes. */
  readonly kind: string;
  readonly path: string;
  readonly idOf: (record: T) => string;
  /** Whether a search finds a record by its id, because no operation reads a single one. */
  readonly isSearchedById?: true;
  /** The filters for which the sandbox has no index. */
  readonly searches?: readonly string[];
}

/** What selects the records of a list. An empty text selects all. */
export interface RecordQuery {
  /** A text that the records contain. */
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

/** Requests of the journal. No message reports a change of one. */
export const requests: RecordList<JournalEntry> = { kind: 'request', path: '/requests', idOf };

function selection({ q = '', filters = {} }: Omit<RecordQuery, 'limit'>): [string, string][] {
  return Object.entries({ ...filters, q }).filter(([, text]) => text !== '');
}

function pathTo<T>({ path }: RecordList<T>, query: Omit<RecordQuery, 'limit'>, partnerId: string): string {
  return `${path}?${new URLSearchParams([['partnerId', partnerId], ...selection(query)])}`;
}

function pageOf<T>(list: RecordList<T>, query: RecordQuery, partnerId: string): RecordPage<T> {
  const path = pathTo(list, query, partnerId);
  const leaving = new AbortController();
  const { searches = [] } = list;
  const page = recordPage<T>({
    read: limit => controlList(`${path}&limit=${limit}&offset=${query.offset ?? 0}`, leaving.signal),
    isSearch: selection(query).some(([name]) => name === 'q' || searches.includes(name)),
    limit: query.limit,
  });
  return {
    ...page,
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
  useEffect(() => (page === null ? undefined : keepUpToDate(list.kind, page)), [list, page]);
  return page;
}

/** Reads the newest records that a list selects, and keeps them up to date. Null until they are read. */
export function useRows<T>(list: RecordList<T>, filters: RecordQuery['filters'], limit: number) {
  return usePage(list, { ...(filters && { filters }), limit })?.rows.value ?? null;
}

/** Returns the number of records that a list selects, and keeps it up to date. Null until it is read. */
export function useTotal<T>(list: RecordList<T>, filters?: RecordQuery['filters']): number | null {
  return usePage(list, { ...(filters && { filters }), limit: 1 })?.total.value ?? null;
}

/** Reads a record of any partner by its id and keeps it up to date. Undefined until it is read; null when there is none. */
export function useRecord<T>(list: RecordList<T>, id: string): T | null | undefined {
  const { kind } = list;
  const record = useMemo(() => cachedValue(() => readRecord(list, id)), [list, id]);
  useEffect(() => keepUpToDate(kind, record), [kind, record]);
  return record.error.value === null ? (record.data.value ?? undefined) : null;
}

/** Reads a record of any partner by its id. Rejects when there is none. */
export async function readRecord<T>(
  { kind, path, idOf, isSearchedById }: RecordList<T>,
  id: string,
): Promise<T> {
  if (isSearchedById === undefined) return read(`${path}/${encodeURIComponent(id)}`);
  // Nearly always it is the selected partner's.
  const owners = new Set([partner.value, ...(partners.data.value ?? [])]);
  for (const owner of owners) {
    const query = new URLSearchParams({ partnerId: owner?.id ?? '', q: id, limit: '1' });
    const [found] = await read<readonly T[]>(`${path}?${query}`);
    if (found !== undefined && idOf(found) === id) return found;
  }
  throw new Error(`no ${kind} ${id}`);
}

/** Reads the newest records that a list selects, once. Rejects when the request fails. */
export async function readRows<T>(
  list: RecordList<T>,
  { limit, ...query }: RecordQuery,
): Promise<readonly T[]> {
  const path = pathTo(list, query, partner.value?.id ?? '');
  return (await controlList<T>(`${path}&limit=${limit}`)).records;
}
