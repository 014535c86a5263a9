import { signal } from '@preact/signals';
import {
  controlHeaders,
  errorMessage,
  JOURNAL_HEADER,
  partnerHeaders,
  sendRequest,
  withBody,
} from '../../client/http.ts';
import type { ListReply } from './record-page.ts';
import { isMain, world } from './world.ts';

/** Prefix of the control plane of the server, which is that of the world `main` too. */
const SERVER_PREFIX = '/_sandbox';
/** Prefix of the control plane of the world that the page shows. */
const CONTROL_PREFIX = isMain ? SERVER_PREFIX : `${SERVER_PREFIX}/worlds/${encodeURIComponent(world)}`;
const API_PREFIX = '/v1';
const TOKEN_KEY = 'card-sandbox.control-token';

export interface Reply {
  readonly status: number;
  /** The parsed JSON, the text itself when it is not JSON, or null when it is empty. */
  readonly body: unknown;
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

/** Returns the URL of a path of the control plane of this world, and whether a request to it needs a token. */
export function controlAddress(path: string): { readonly url: string; readonly hasToken: boolean } {
  return { url: location.origin + CONTROL_PREFIX + path, hasToken: token !== null };
}

/** Opens an event stream of the control plane. Throws a RequestError when the stream is unavailable. */
export async function openStream(path: string): Promise<ReadableStream<Uint8Array>> {
  const headers = controlHeaders(token);
  const response = await sendRequest({ method: 'GET', url: CONTROL_PREFIX + path, headers }, fetch);
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
  const reply = succeed(await callControl(method, path, body, cancelled));
  // The caller names the type that the control plane documents for this path.
  return reply.body as T;
}

/** Reads the JSON at a path of the control plane of this world. Throws a RequestError for an error status. */
export function read<T>(path: string): Promise<T> {
  return control('GET', path);
}

/** Calls the control plane of the server, which has its worlds. Throws a RequestError for an error status. */
export async function serverControl<T>(method: string, path: string): Promise<T> {
  const reply = succeed(await send(method, SERVER_PREFIX + path, undefined, controlHeaders(token)));
  // The caller names the type that the control plane documents for this path.
  return reply.body as T;
}

/** Reads a list of the control plane, with the number of all its records. Throws a RequestError for an error status. */
export async function controlList<T>(path: string, cancelled?: AbortSignal): Promise<ListReply<T>> {
  const { body, total } = succeed(await callControl('GET', path, undefined, cancelled));
  // The caller names the type that the control plane documents for this path.
  return { records: body as readonly T[], total };
}

/** Calls the control plane of this world. A status may be an error. */
export function callControl(
  method: string,
  path: string,
  body?: unknown,
  cancelled?: AbortSignal,
): Promise<Reply> {
  return send(method, CONTROL_PREFIX + path, body, controlHeaders(token), cancelled);
}

/** Calls the API with a partner's key, as any client does, in the neutral names. A status may be an error. */
export function callApiWith(apiKey: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return sendToApi(method, path, body, partnerHeaders(apiKey));
}

/** Calls the API with these headers. A status may be an error. */
export function sendToApi(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  return send(method, API_PREFIX + path, body, headers);
}

async function send(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Reply> {
  const response = await sendRequest({ method, url, headers, body, signal }, fetch).catch(() => {
    throw new RequestError('The sandbox does not respond. Is it still running?');
  });
  const { status, headers: received, body: replied } = withBody(response, await response.text());
  const total = received['x-total-count'];
  return {
    status,
    body: replied,
    journalId: received[JOURNAL_HEADER] ?? null,
    total: total === undefined ? null : Number(total),
  };
}

function succeed(reply: Reply): Reply {
  if (reply.status === 401) needsToken.value = true;
  throwIfFailed(reply);
  return reply;
}

export function throwIfFailed({ status, body, journalId }: Reply): void {
  if (status < 400) return;
  throw new RequestError(errorMessage(body) ?? `The request failed with status ${status}.`, journalId);
}
