import type { Client } from './client.ts';

/** Sends a request to a sandbox; the global `fetch`, with the sandbox as the only server. */
export type Fetch = (request: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** What to send with a call. Members of the query that are undefined are left out. */
export interface CallOptions {
  readonly query?: object;
  readonly body?: unknown;
  /** Whether the response is a text that is not JSON. Such a call has no body. */
  readonly isText?: boolean;
}

/** Calls an operation of the control plane. Resolves with the body of its response, which has the type `T`. */
export type Call = <T>(method: string, path: string, options?: CallOptions) => Promise<T>;

/**
 * A `Call` that goes through a client once `ready` has resolved. It rejects when `ready` rejects, and with the errors
 * of the client.
 */
export function callThrough(client: Client, ready: Promise<unknown>): Call {
  return async <T>(method: string, path: string, { query = {}, body, isText }: CallOptions = {}) => {
    await ready;
    const request = { method, path, query: parametersOf(query) };
    // The caller names the type string.
    if (isText) return (await new Response(await client.open(request)).text()) as T;
    const response = await client.control({ ...request, body });
    // The sandbox checks its responses against its schemas, from which our types are generated.
    return response.body as T;
  };
}

/** The parameters of a query as texts. Members that are undefined are left out. */
export function parametersOf(query: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
