import { signal } from '@preact/signals';
import { elapsed } from '../browser/timers.ts';
import { isMain, world } from './world.ts';

/** Prefix of the control plane of the server, which is that of the world `main` too. */
const SERVER_PREFIX = '/_sandbox';
/** Prefix of the control plane of the world that the page shows. */
const CONTROL_PREFIX = isMain ? SERVER_PREFIX : `${SERVER_PREFIX}/worlds/${encodeURIComponent(world)}`;
const API_PREFIX = '/v1';
/** The pages of the sandbox use the neutral names, whatever names it was started with. */
const NEUTRAL_NAMES = { 'x-sandbox-names': 'neutral' };
const TOKEN_KEY = 'card-sandbox.control-token';

/** A request and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseBody: unknown;
  readonly durationMs: number;
  /** Id of the journal entry. Null for control plane requests, which are not recorded. */
  readonly journalId: string | null;
  /** The number of all records of a list, of which the response may have some. Null for other responses. */
  readonly total: number | null;
}

/** A failed request. The message is the server's, when it sent one. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly journalId: string | null;

  constructor(message: string, journalId: string | null = null) {
    super(message);
    this.journalId = journalId;
  }
}

/** Whether the control plane requires a token that the page does not have. */
export const needsToken = signal(false);
let token = initialToken();

/** Returns the control token from `#token=…`, which it removes from the address, or from this tab's storage. */
function initialToken(): string | null {
  const [, encoded] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (encoded === undefined) return sessionStorage.getItem(TOKEN_KEY);
  history.replaceState(null, '', location.pathname + location.search);
  const value = decodeURIComponent(encoded);
  sessionStorage.setItem(TOKEN_KEY, value);
  return value;
}

/** Sends this control token from now on, until the tab is closed. */
export function setToken(value: string): void {
  token = value;
  sessionStorage.setItem(TOKEN_KEY, value);
  needsToken.value = false;
}

/** Opens an event stream of the control plane. Throws a RequestError when the stream is unavailable. */
export async function openStream(
  path: string,
  signal: AbortSignal | null = null,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(CONTROL_PREFIX + path, { headers: controlHeaders(), signal });
  if (response.status === 401) needsToken.value = true;
  if (!response.ok || response.body === null) throw new RequestError('The event stream is unavailable.');
  return response.body;
}

/** Calls the control plane of this world and returns the response body. Throws a RequestError for an error status. */
export async function control<T>(
  method: string,
  path: string,
  body?: unknown,
  cancelled?: AbortSignal,
): Promise<T> {
  const { responseBody } = await succeeded(controlExchange(method, path, body, cancelled));
  // The caller names the type that the control plane documents for this path.
  return responseBody as T;
}

/** Calls the control plane of the server, which has its worlds. Throws a RequestError for an error status. */
export async function serverControl<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { responseBody } = await succeeded(send(method, SERVER_PREFIX + path, body, controlHeaders()));
  // The caller names the type that the control plane documents for this path.
  return responseBody as T;
}

/** Reads a list of the control plane, with the number of all its records. Throws a RequestError for an error status. */
export async function controlList<T>(
  path: string,
  cancelled?: AbortSignal,
): Promise<{ readonly records: readonly T[]; readonly total: number | null }> {
  const { responseBody, total } = await succeeded(controlExchange('GET', path, undefined, cancelled));
  // The caller names the type that the control plane documents for this path.
  return { records: responseBody as readonly T[], total };
}

async function succeeded(sent: Promise<Exchange>): Promise<Exchange> {
  const exchange = await sent;
  if (exchange.status === 401) needsToken.value = true;
  throwIfFailed(exchange);
  return exchange;
}

/** Calls the control plane and returns the exchange, whatever its status. */
export function controlExchange(
  method: string,
  path: string,
  body?: unknown,
  cancelled?: AbortSignal,
): Promise<Exchange> {
  return send(method, CONTROL_PREFIX + path, body, controlHeaders(), cancelled);
}

/** Calls the API with a partner's key, as any client does. Returns the exchange, whatever its status. */
export function apiExchange(apiKey: string, method: string, path: string, body?: unknown): Promise<Exchange> {
  return send(method, API_PREFIX + path, body, { 'x-service-api-key': apiKey, ...NEUTRAL_NAMES });
}

/** Where a path of the control plane of this world is, and the headers that it requires. */
export function controlTarget(path: string): {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  return { url: CONTROL_PREFIX + path, headers: controlHeaders() };
}

/** Throws a RequestError when the status of an exchange is an error. */
export function throwIfFailed({ status, responseBody, journalId }: Exchange): void {
  if (status < 400) return;
  throw new RequestError(
    errorMessage(responseBody) ?? `The request failed with status ${status}.`,
    journalId,
  );
}

/** Returns the message of an error body of either shape, or null when it has none. */
export function errorMessage(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  return String(error.message);
}

function controlHeaders(): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

async function send(
  method: string,
  path: string,
  requestBody: unknown,
  headers: Record<string, string>,
  cancelled: AbortSignal | null = null,
): Promise<Exchange> {
  const init: RequestInit = { method, headers, signal: cancelled };
  if (requestBody !== undefined) {
    init.headers = { ...headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(requestBody);
  }
  const startedAt = elapsed();
  const response = await fetch(path, init).catch(() => {
    throw new RequestError('The sandbox does not respond. Is it still running?');
  });
  const text = await response.text();
  return {
    method,
    path,
    requestBody,
    status: response.status,
    responseBody: parseBody(text),
    durationMs: elapsed() - startedAt,
    journalId: response.headers.get('x-sandbox-request'),
    total: numberOrNull(response.headers.get('x-total-count')),
  };
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}

/** Returns the parsed JSON, the text itself when it is not JSON, or null when it is empty. */
function parseBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
