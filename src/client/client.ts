import { API_PREFIX, CONTROL_PREFIX } from '../kernel/operation/plane.ts';
import type { Names } from '../kernel/request/names.ts';

/** Whatever names the sandbox was given, its own tools speak in the neutral words. */
const NEUTRAL = { 'x-sandbox-names': 'neutral' };

/** Where a sandbox is, and how it is reached. */
export interface ClientOptions {
  /** For example `http://127.0.0.1:4242`. */
  readonly url: string;
  /** Needed when the sandbox listens beyond loopback. */
  readonly controlToken?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** One call; the path is below the prefix of its plane. */
export interface ClientCall {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it stands. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a call that succeeded. */
export interface ClientResponse {
  readonly status: number;
  /** What the JSON stands for; null where there is no body. */
  readonly body: unknown;
  /** What of the call was not understood and ignored; null when all was. */
  readonly hint: string | null;
}

/** Any answer, of success or not. */
export interface Exchanged {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the JSON stands for, null where there is no body, and the text where it is no JSON. */
  readonly body: unknown;
}

/** What `GET info` tells, as far as callers use it. */
export interface SandboxInfo {
  readonly options: { readonly names?: Names };
  readonly version: string;
  readonly baseUrl: string;
  readonly partners: readonly { readonly id: string; readonly name: string; readonly apiKey: string }[];
}

/** A call that was answered with an error. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** No sandbox answers at the address: nothing listens, or something else does. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/**
 * Drives a running sandbox over HTTP. Every method rejects with a RefusedError when the sandbox refuses, and
 * with an UnreachableError when no sandbox answers.
 */
export interface Client {
  readonly url: string;
  /** Where the API is, version segment included. */
  readonly baseUrl: string;
  /** Calls the control plane. */
  control(call: ClientCall): Promise<ClientResponse>;
  /** Calls the API with a partner's key. */
  api(apiKey: string, call: ClientCall): Promise<ClientResponse>;
  /** Calls the API, without a key when it is null, and takes whatever is answered. */
  exchange(apiKey: string | null, call: ClientCall): Promise<Exchanged>;
  /** Opens an endless answer of the control plane, such as its stream. */
  open(call: ClientCall): Promise<ReadableStream<Uint8Array>>;
  /** Version, addresses and partners. */
  info(): Promise<SandboxInfo>;
}

/** A client for the sandbox at `url`. It connects when it is first used. */
export function createClient({ url, controlToken, fetch: send = fetch }: ClientOptions): Client {
  const origin = url.replace(/\/+$/, '');
  const token: Record<string, string> =
    controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` };

  const request = async (prefix: string, given: Record<string, string>, call: ClientCall) => {
    const { method, path, query = {}, body, signal } = call;
    const search = new URLSearchParams(query).toString();
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...given, ...type, ...call.headers };
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body);
    if (signal !== undefined) init.signal = signal;
    try {
      return await send(origin + prefix + path + (search === '' ? '' : `?${search}`), init);
    } catch (error) {
      throw signal?.aborted ? error : unreachable(origin, error);
    }
  };
  const control = async (call: ClientCall) => read(origin, await request(CONTROL_PREFIX, token, call));
  return {
    url: origin,
    baseUrl: origin + API_PREFIX,
    control,
    api: async (apiKey, call) =>
      read(origin, await request(API_PREFIX, { 'x-service-api-key': apiKey, ...NEUTRAL }, call)),
    async exchange(apiKey, call) {
      const response = await request(
        API_PREFIX,
        { ...(apiKey === null ? {} : { 'x-service-api-key': apiKey }), ...NEUTRAL },
        call,
      );
      const text = await textOf(origin, response);
      const body = parse(text);
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: body === undefined ? text : body };
    },
    async open(call) {
      const response = await request(CONTROL_PREFIX, token, call);
      if (response.ok && response.body !== null) return response.body;
      await read(origin, response);
      throw new UnreachableError(`${origin} answered without a stream; it is no card-sandbox`);
    },
    // The sandbox checks its answers against its own schemas before they leave.
    info: async () => (await control({ method: 'GET', path: '/info' })).body as SandboxInfo,
  };
}

async function read(origin: string, response: Response): Promise<ClientResponse> {
  const { status } = response;
  const body = parse(await textOf(origin, response));
  if (body === undefined) throw new UnreachableError(`what answers at ${origin} is no card-sandbox`);
  if (response.ok) return { status, body, hint: response.headers.get('x-sandbox-hint') };
  const message = messageIn(body);
  if (message === null) throw new UnreachableError(`what answers at ${origin} is no card-sandbox`);
  throw new RefusedError(status, message);
}

async function textOf(origin: string, response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw unreachable(origin, error);
  }
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of an error body, simple or structured; null when it is neither. */
function messageIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error === 'string') return error;
  const isStructured = typeof error === 'object' && error !== null && 'message' in error;
  return isStructured ? String(error.message) : null;
}

function unreachable(origin: string, error: unknown): UnreachableError {
  const cause = error instanceof Error ? error.cause : undefined;
  const why = cause instanceof Error ? ('code' in cause ? cause.code : cause.message) : '';
  return new UnreachableError(`no sandbox answers at ${origin}${why ? ` (${why})` : ''}`);
}
