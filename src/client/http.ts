import { isTooDeep } from '../core/values/depth.ts';
import { isError } from '../core/values/is-error.ts';

/** Sends a request to a sandbox; the global `fetch`, with the sandbox as the only server. */
export type Fetch = (request: Request | string | URL, init?: RequestInit) => Promise<Response>;

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON; a string or a file is sent unchanged. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Any response, of success or not. */
export interface AnyResponse {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, the text when it is not JSON, or null when the response has no body. */
  readonly body: unknown;
}

/** The header that names the journal entry of a request. */
export const JOURNAL_HEADER = 'x-sandbox-request';

/** With `neutral` in this header, a request and its response use the neutral names. Only this package sends it. */
export const NAMES_HEADER = 'x-sandbox-names';

/** The headers of a request to the API. Clients use the neutral names, whichever names the sandbox is configured with. */
export function partnerHeaders(apiKey: string | null): Readonly<Record<string, string>> {
  return { ...(apiKey !== null && { 'x-service-api-key': apiKey }), [NAMES_HEADER]: 'neutral' };
}

/** Whether a request with these headers comes from a handle or a command of this package: no app sends that header. */
export function isSentByLibrary(headers: Readonly<Record<string, unknown>>): boolean {
  return headers[NAMES_HEADER] !== undefined;
}

export function controlHeaders(token: string | null | undefined): Readonly<Record<string, string>> {
  return typeof token === 'string' ? { authorization: `Bearer ${token}` } : {};
}

/** Sends a request with this `fetch`, and rejects as it does. Redirects are not followed. */
export function sendRequest(request: HttpRequest, send: Fetch): Promise<Response> {
  const { method, url, query = {}, body, signal } = request;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const init: RequestInit = { method, headers: { ...type, ...request.headers }, redirect: 'manual' };
  if (body !== undefined) {
    init.body = typeof body === 'string' || isFile(body) ? body : JSON.stringify(body);
  }
  if (signal !== undefined) init.signal = signal;
  const search = Object.entries(query)
    .map(parameter => parameter.map(encodeURIComponent).join('='))
    .join('&');
  return send(search === '' ? url : `${url}?${search}`, init);
}

/** Whether a value is a file that a person has chosen in the dashboard. */
function isFile(value: unknown): value is Blob {
  return typeof value === 'object' && value !== null && 'arrayBuffer' in value;
}

export function withBody(response: Response, text: string): AnyResponse {
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: jsonOrText(text) };
}

/** Returns a body as JSON, null for an empty one, and as text where it is not JSON or nested too deeply. */
export function jsonOrText(text: string): unknown {
  const body = parseJson(text);
  return body === undefined ? text : body;
}

/** Returns null for an empty body, and undefined for text that is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The message of an error body of the API, simple or structured (interface section 7), or null for any other body. */
export function errorMessage(body: unknown): string | null {
  const error = memberOf(body, 'error');
  const message = typeof error === 'string' ? error : memberOf(error, 'message');
  return message === undefined ? null : String(message);
}

/** The code of a structured error body (interface section 7.2), or null for any other body. */
export function errorCode(body: unknown): string | null {
  const code = memberOf(memberOf(body, 'error'), 'code');
  return code === undefined ? null : String(code);
}

/** Why no response arrived, such as ECONNREFUSED, or null when the error of `fetch` has no cause. */
export function failureReason(error: unknown): string | null {
  const cause = isError(error) ? error.cause : undefined;
  return isError(cause) ? String('code' in cause ? cause.code : cause.message) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
