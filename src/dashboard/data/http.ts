import { signal } from '@preact/signals';
import {
  type AnyResponse,
  controlHeaders,
  errorMessage,
  type HttpRequest,
  JOURNAL_HEADER,
  sendRequest,
  withBody,
} from '../../client/http.ts';
import { decode } from '../route.ts';
import { isMain, world } from './world.ts';

/** Prefix of the control plane of the server, which is that of the world `main` too. */
const SERVER_PREFIX = '/_sandbox';
const CONTROL_PREFIX = isMain ? SERVER_PREFIX : `${SERVER_PREFIX}/worlds/${encodeURIComponent(world)}`;
const API_PREFIX = '/v1';
const TOKEN_KEY = 'card-sandbox.control-token';
const TOKEN_HASH = /^#token=(.+)$/;

/** A failed request. The message is the server's, when it sent one. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** Null without a response. */
  readonly status: number | null;
  readonly journalId: string | null;

  constructor(message: string, response: AnyResponse | null = null) {
    super(message);
    this.status = response?.status ?? null;
    this.journalId = response?.headers[JOURNAL_HEADER] ?? null;
  }
}

/** Whether the control plane requires a token that the page does not have. */
export const needsToken = signal(false);
let token = initialToken();
addEventListener('hashchange', () => {
  // A link with a token, followed in a page that is open: it is read as in a new one.
  if (TOKEN_HASH.test(location.hash)) location.reload();
});

/** Returns the control token from `#token=…`, which it removes from the address, or from this tab's storage. */
function initialToken(): string | null {
  const [, encoded] = TOKEN_HASH.exec(location.hash) ?? [];
  if (encoded === undefined) return sessionStorage.getItem(TOKEN_KEY);
  history.replaceState(null, '', location.pathname + location.search);
  const value = decode(encoded);
  sessionStorage.setItem(TOKEN_KEY, value);
  return value;
}

/** Keeps a control token for this tab. Throws a RequestError, and asks for another one, when the server refuses it. */
export async function setToken(value: string): Promise<void> {
  token = value;
  await serverControl('GET', '/info');
  sessionStorage.setItem(TOKEN_KEY, value);
  needsToken.value = false;
}

/** Returns the URL of a path of the control plane of this world. */
export function controlUrl(path: string): string {
  return location.origin + CONTROL_PREFIX + path;
}

/** Whether requests to the control plane carry a token. */
export function hasToken(): boolean {
  return token !== null;
}

/** Opens a body of the control plane that is read in pieces. Throws a RequestError for an error status. */
export async function openStream(path: string): Promise<ReadableStream<Uint8Array>> {
  const response = await sendToControl({ method: 'GET', url: CONTROL_PREFIX + path });
  if (response.body === null) throw new RequestError('The response has no body.');
  return response.body;
}

/** Calls the control plane of this world and returns the response body. Throws a RequestError for an error status. */
export function control<T>(method: string, path: string, body?: unknown): Promise<T> {
  return callControl({ method, url: CONTROL_PREFIX + path, body });
}

/** Reads the JSON at a path of the control plane of this world. Throws a RequestError for an error status. */
export function read<T>(path: string): Promise<T> {
  return control('GET', path);
}

/** Calls the control plane of the server, which has its worlds. Throws a RequestError for an error status. */
export function serverControl<T>(method: string, path: string): Promise<T> {
  return callControl({ method, url: SERVER_PREFIX + path });
}

/** Reads a part of a list of the control plane, with the number of all its records if they are counted. */
export async function controlList<T>(path: string, signal: AbortSignal) {
  const response = await sendToControl({ method: 'GET', url: CONTROL_PREFIX + path, signal });
  const { body, headers } = withBody(response, await response.text());
  const total = headers['x-total-count'];
  // The caller names the type that the control plane documents for this path.
  return { records: body as readonly T[], total: total === undefined ? null : Number(total) };
}

async function callControl<T>(request: HttpRequest): Promise<T> {
  const response = await sendToControl(request);
  // The caller names the type that the control plane documents for this path.
  return withBody(response, await response.text()).body as T;
}

async function sendToControl(request: HttpRequest): Promise<Response> {
  const response = await send({ ...request, headers: controlHeaders(token) });
  if (response.status === 401) needsToken.value = true;
  if (response.status >= 400) throw failureOf(withBody(response, await response.text()));
  return response;
}

/** Calls the API with these headers. A status may be an error. */
export async function sendToApi(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<AnyResponse> {
  const response = await send({ method, url: API_PREFIX + path, body, headers });
  return withBody(response, await response.text());
}

function send(request: HttpRequest): Promise<Response> {
  return sendRequest(request, fetch).catch(() => {
    throw new RequestError('The sandbox does not respond. Is it still running?');
  });
}

/** The error of a response whose status is one. */
export function failureOf(response: AnyResponse): RequestError {
  const message = errorMessage(response.body) ?? `The request failed with status ${response.status}.`;
  return new RequestError(message, response);
}
