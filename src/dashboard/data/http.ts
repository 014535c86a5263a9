import { signal } from '@preact/signals';
import { elapsed } from '../browser/timers.ts';

const CONTROL = '/_sandbox';
const API = '/v1';
/** Whatever names the sandbox was given, its own pages speak in the neutral words. */
const NEUTRAL = { 'x-sandbox-names': 'neutral' };
const TOKEN_KEY = 'card-sandbox.control-token';

/** A request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseBody: unknown;
  readonly durationMs: number;
  /** The journal's entry; null for a control call, which has none. */
  readonly journalId: string | null;
}

/** A call that was not answered with success; the message is the server's own where it gave one. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly journalId: string | null;

  constructor(status: number, message: string, journalId: string | null = null) {
    super(message);
    this.status = status;
    this.journalId = journalId;
  }
}

/** Whether the control plane asked for its token. */
export const needsToken = signal(false);
let token = takeToken();

/** Takes the control token from `#token=…`, so that it does not stay in the address, or from this tab's storage. */
function takeToken(): string | null {
  const [, given] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (given === undefined) return sessionStorage.getItem(TOKEN_KEY);
  history.replaceState(null, '', location.pathname);
  sessionStorage.setItem(TOKEN_KEY, decodeURIComponent(given));
  return decodeURIComponent(given);
}

/** Keeps the control token for as long as the tab is open. */
export function useToken(given: string): void {
  token = given;
  sessionStorage.setItem(TOKEN_KEY, given);
  needsToken.value = false;
}

/** Asks the control plane for something that streams. Throws a Refusal when it does not answer with success. */
export async function openStream(path: string, abort: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(CONTROL + path, { headers: controlHeaders(), signal: abort });
  if (response.status === 401) needsToken.value = true;
  if (!response.ok || response.body === null)
    throw new Refusal(response.status, 'the stream is not to be had');
  return response.body;
}

/** Calls the control plane and returns the answer's body. Throws a Refusal for anything but success. */
export async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
  const exchange = await controlExchange(method, path, body);
  if (exchange.status === 401) needsToken.value = true;
  throwRefusal(exchange);
  // The caller names the shape that the control plane documents for this path.
  return exchange.responseBody as T;
}

/** Calls the control plane and returns the whole exchange, whatever its status. */
export function controlExchange(method: string, path: string, body?: unknown): Promise<Exchange> {
  return exchange(method, CONTROL + path, body, controlHeaders());
}

/** Calls the API as the partner with this key, like any client of it, and returns the whole exchange. */
export function apiExchange(apiKey: string, method: string, path: string, body?: unknown): Promise<Exchange> {
  return exchange(method, API + path, body, { 'x-service-api-key': apiKey, ...NEUTRAL });
}

/** Throws a Refusal for an exchange that was not answered with success. */
export function throwRefusal({ status, responseBody, journalId }: Exchange): void {
  if (status < 400) return;
  throw new Refusal(status, errorMessage(responseBody) ?? `answered with status ${status}`, journalId);
}

/** The message in an error body of either shape. */
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

async function exchange(
  method: string,
  path: string,
  requestBody: unknown,
  headers: Record<string, string>,
): Promise<Exchange> {
  const init: RequestInit = { method, headers };
  if (requestBody !== undefined) {
    init.headers = { ...headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(requestBody);
  }
  const startedAt = elapsed();
  const response = await fetch(path, init).catch(() => {
    throw new Refusal(0, 'the sandbox does not answer; is it still running?');
  });
  const text = await response.text();
  return {
    method,
    path,
    requestBody,
    status: response.status,
    responseBody: parsed(text),
    durationMs: elapsed() - startedAt,
    journalId: response.headers.get('x-sandbox-request'),
  };
}

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
