import type { Client } from './client.ts';

/** Asks a sandbox as the global `fetch` asks a server. */
export type Fetch = (request: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** What goes along with a call; members of the query that are undefined are left out. */
export interface CallOptions {
  readonly query?: object;
  readonly body?: unknown;
}

/** Calls the control plane; the type of the answer is that of the operation called. */
export type Call = <T>(method: string, path: string, along?: CallOptions) => Promise<T>;

/** Calls the control plane through a client, once `ready` has resolved; rejects with what it rejects with. */
export function callThrough(client: Client, ready: Promise<unknown>): Call {
  return async <T>(method: string, path: string, { query = {}, body }: CallOptions = {}) => {
    await ready;
    const texts = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const answer = await client.control({ method, path, query: Object.fromEntries(texts), body });
    // The sandbox checks its answers against its own schemas, whose types a test compares with ours.
    return answer.body as T;
  };
}
