import type { Call } from './call.ts';
import type { JournalEntry } from './generated/records.ts';

/** Which requests to return; an omitted member matches all. */
export interface RequestFilter {
  /** As called, with or without `/v1`, or as a pattern with `{id}`. */
  readonly path?: string;
  readonly method?: string;
  /** HTTP status of the response, or a class of them. */
  readonly status?: number | '1xx' | '2xx' | '3xx' | '4xx' | '5xx';
  readonly partnerId?: string;
  /** Id of the operation, such as `cards.create`. */
  readonly operation?: string;
  /** Earliest sandbox time, inclusive, ISO 8601. */
  readonly since?: string;
  /** Latest sandbox time, inclusive, ISO 8601. */
  readonly until?: string;
  /** Id of a record that the request changed. */
  readonly recordId?: string;
}

/** The journal: the requests to the API, and what decided each response. */
export interface RequestControl {
  /** Resolves with the last 1,000 requests that match, newest first, or with at most `limit` of them. */
  list(filter?: RequestFilter & { readonly limit?: number }): Promise<JournalEntry[]>;
  /** Resolves with the number of requests that match, of the last 1,000. */
  count(filter?: RequestFilter): Promise<number>;
  /** Resolves with one request. */
  get(id: string): Promise<JournalEntry>;
  /** Empties the journal, or removes the requests of one partner. */
  clear(filter?: { readonly partnerId?: string }): Promise<void>;
}

/** The journal of the sandbox behind `call`. */
export function requestControl(call: Call): RequestControl {
  return {
    list: (filter = {}) => call('GET', '/requests', { query: filter }),
    async count(filter = {}) {
      const { count } = await call<{ readonly count: number }>('GET', '/requests/count', { query: filter });
      return count;
    },
    get: id => call('GET', `/requests/${encodeURIComponent(id)}`),
    clear: (filter = {}) => call('DELETE', '/requests', { query: filter }),
  };
}
