import { URL } from 'node:url';
import { AbortSignal } from '../core/values/builtins.ts';
import { isRequest, readArguments } from '../core/values/fetch-arguments.ts';
import { isError } from '../core/values/is-error.ts';
import type { Names } from '../core/values/names.ts';
import { API_PREFIX, CONTROL_HEADER, CONTROL_PREFIX } from '../core/values/plane.ts';
import type { Assume } from '../service/assumptions/assume.ts';
import { readApiBody, UNREAD } from './api-body.ts';
import type { ControlResult } from './generated/control-api.ts';
import type { ErrorCode, Rule } from './generated/records.ts';
import {
  type AnyResponse,
  controlHeaders,
  errorMessage,
  type Fetch,
  failureReason,
  type HttpRequest,
  parseJson,
  partnerHeaders,
  sendRequest,
  withBody,
} from './http.ts';

const MAIN_WORLD = 'main';

/** Paths of the control plane that have no world: the paths of the worlds themselves. */
const WORLDS = /^\/worlds(?:\/|$)/;

/** Paths of the control plane that say whether a sandbox is there, and how long they may take. */
const LOOKS = /^\/(?:health|info)$/;
const LOOK_S = 10;

/** The address of a sandbox, and how to reach it. */
export interface ClientOptions {
  /** For example `http://127.0.0.1:4242`. */
  readonly url: string;
  /** Required when the sandbox listens beyond loopback. */
  readonly controlToken?: string | undefined;
  /** The id of the world whose control plane is called. Default: `main`. */
  readonly world?: string | undefined;
  readonly fetch: Fetch;
}

/** A request to an operation. */
export interface ClientCall extends Omit<HttpRequest, 'url'> {
  /** The path below the prefix of the operation's plane. */
  readonly path: string;
}

/** The response to a call that succeeded. */
export interface ClientResponse {
  readonly status: number;
  /** The parsed JSON; null when the response has no body. */
  readonly body: unknown;
}

/** The response to `GET info`. */
export interface SandboxInfo extends Omit<ControlResult<'info'>, 'options'> {
  readonly options: { readonly names?: Names; readonly assume?: Assume };
}

interface RefusalDetails {
  readonly code?: string | null;
  readonly rule?: Rule | null;
  readonly requestId?: string | null;
}

/** The sandbox refused a call. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** HTTP status of the response. */
  readonly status: number;
  /**
   * The code of a structured error, such as `EMAIL_ALREADY_REGISTERED`; null for any other error. The body of a fault may
   * have another one, which a variable of the type `string` can be compared with.
   */
  readonly code: ErrorCode | null;
  /** The rule that decided the response, from the journal; null when the journal has no such entry. */
  readonly rule: Rule | null;
  /** Id of the entry in the journal; null for calls of the control plane, which have none. */
  readonly requestId: string | null;

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    super(message);
    this.status = status;
    // Codes of the bodies of faults are the caller's own.
    this.code = (details.code ?? null) as ErrorCode | null;
    this.rule = details.rule ?? null;
    this.requestId = details.requestId ?? null;
  }
}

/** No sandbox is reachable at the address: nothing listens there, or another service does. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** The address of the call. */
  readonly url: string;
  /** HTTP status of the response of another service; null when nothing responds. */
  readonly status: number | null;

  constructor(message: string, url: string, status: number | null = null) {
    super(message);
    this.url = url;
    this.status = status;
  }
}

/** A request that is never sent. The message says why, and what to send instead. */
export class UnsendableError extends Error {
  override readonly name = 'UnsendableError';
}

/**
 * Calls a running sandbox over HTTP. Every method rejects with an UnreachableError when no sandbox responds, with an
 * UnsendableError for a path that leaves the prefix of its plane, for a GET with a body and for an invalid header, and with
 * the reason of an aborted `signal`. Without a `signal`, health and info count as not answered after 10 s. All but
 * `exchange` reject with a RefusedError when the sandbox refuses.
 */
export interface Client {
  /** The address of the sandbox, without a trailing slash. */
  readonly url: string;
  /** The base URL of the API, version segment included. */
  readonly baseUrl: string;
  /** The id of the world whose control plane is called. */
  readonly world: string;
  /** Calls the control plane of the world. Paths below `/worlds` belong to the server. */
  control(call: ClientCall): Promise<ClientResponse>;
  /** Calls the API, without a key when it is null. Resolves with the response, whatever its status is. */
  exchange(apiKey: string | null, call: ClientCall): Promise<AnyResponse>;
  /** Calls an operation that streams its response, such as the event stream. Resolves once the stream is open. */
  open(call: ClientCall): Promise<ReadableStream<Uint8Array>>;
  /** Resolves with version, addresses and partners. */
  info(): Promise<SandboxInfo>;
  /**
   * Sends a request as the global `fetch` does. A path is one of the sandbox, and the control plane is the one of the
   * world.
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** A client for another world of the same sandbox. */
  inWorld(id: string): Client;
}

/** A client for the sandbox at `url`. It connects with the first call. */
export function createClient(options: ClientOptions): Client {
  const { url, controlToken, world = MAIN_WORLD, fetch: send } = options;
  const origin = url.replace(/\/+$/, '');
  const ownPrefix = CONTROL_PREFIX + (world === MAIN_WORLD ? '' : `/worlds/${encodeURIComponent(world)}`);
  const controlPrefix = (path: string) => (WORLDS.test(path) ? CONTROL_PREFIX : ownPrefix);

  const request = async (prefix: string, ownHeaders: Readonly<Record<string, string>>, call: ClientCall) => {
    const headers = { ...ownHeaders, ...call.headers };
    checkSendable(origin + prefix, call);
    checkHeaders(headers);
    const sent = sendRequest({ ...call, url: origin + prefix + call.path, headers }, send);
    return sent.catch(error => {
      throw isNetworkError(error) ? failure(call, error) : error;
    });
  };
  const failure = ({ signal }: ClientCall, error: unknown) =>
    signal?.aborted ? error : unreachableError(origin, error);
  /** Reads a response of the control plane. Rejects with a RefusedError for all but a success. */
  const read = async (call: ClientCall, response: Response): Promise<ClientResponse> => {
    const { status } = response;
    const text = await response.text().catch(error => {
      throw failure(call, error);
    });
    const body = parseJson(text);
    if (body !== undefined && response.ok) return { status, body };
    const message = errorMessage(body);
    throw message === null ? notASandboxError(origin, response) : new RefusedError(status, message);
  };
  const callApi = (apiKey: string | null, call: ClientCall) =>
    request(API_PREFIX, partnerHeaders(apiKey), call);
  const callControl = async (call: ClientCall) => {
    const response = await request(controlPrefix(call.path), controlHeaders(controlToken), call);
    if (response.ok && !response.headers.has(CONTROL_HEADER)) throw notASandboxError(origin, response);
    return response;
  };
  const control = async (call: ClientCall) => {
    if (call.signal !== undefined || !LOOKS.test(call.path)) return read(call, await callControl(call));
    const signal = AbortSignal.timeout(LOOK_S * 1_000);
    const timed = { ...call, signal };
    try {
      return await read(timed, await callControl(timed));
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new UnreachableError(`the server at ${origin} does not answer within ${LOOK_S} s`, origin);
    }
  };
  return {
    url: origin,
    baseUrl: origin + API_PREFIX,
    world,
    control,
    async exchange(apiKey, call) {
      const response = await callApi(apiKey, call);
      const text = await readApiBody(response).catch(error => {
        throw failure(call, error);
      });
      if (text !== null) return withBody(response, text);
      const message = `the response to ${call.method} ${call.path} is too long for this API ${UNREAD}`;
      throw new UnreachableError(message, origin, response.status);
    },
    async open(call) {
      const response = await callControl(call);
      if (response.ok && response.body !== null) return response.body;
      await read(call, response);
      throw notASandboxError(origin, response);
    },
    // The sandbox checks its responses against its own schemas before it sends them.
    info: async () => (await control({ method: 'GET', path: '/info' })).body as SandboxInfo,
    async fetch(input, init) {
      const target = new URL(isRequest(input) ? input.url : input, origin);
      const isOfMain = target.href.startsWith(`${origin}${CONTROL_PREFIX}/`);
      const path = target.pathname.slice(CONTROL_PREFIX.length);
      if (ownPrefix === CONTROL_PREFIX || !isOfMain) return send(isRequest(input) ? input : target, init);
      target.pathname = controlPrefix(path) + path;
      if (!isRequest(input)) return send(target, init);
      const read = await readArguments(input, init);
      return send(target, { ...read.init, signal: read.signal ?? null });
    },
    inWorld: id => createClient({ ...options, world: id }),
  };
}

/** Throws an UnsendableError unless the call goes below `base`, however its path is written, and `fetch` can send it. */
function checkSendable(base: string, { method, path, body }: ClientCall): void {
  if (body !== undefined && /^(?:GET|HEAD)$/i.test(method)) {
    throw new UnsendableError(
      `a ${method} request has no body; pass its values in the query, or use another method`,
    );
  }
  const { pathname: root } = new URL(base);
  const { pathname } = new URL(base + path);
  const plainPath = root + path.split('?', 1)[0];
  // A segment such as .. or %2e%2e disappears, a backslash becomes a separator, and what follows a # is not sent.
  const isUnchanged =
    pathname.split('/').length === plainPath.split('/').length &&
    !/\/(?:\.|%2e)$/i.test(plainPath) &&
    !path.includes('#');
  if (isUnchanged && pathname.startsWith(`${root}/`)) return;
  throw new UnsendableError(
    `the path ${JSON.stringify(path)} leads to ${pathname}; write one below ${root} that begins with /, without #, backslashes and the segments . and ..`,
  );
}

/** Throws an UnsendableError for a header that `fetch` cannot send. */
function checkHeaders(headers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new UnsendableError(
        `${JSON.stringify(name)} is not a header name; use letters, digits and -, such as x-request-id`,
      );
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(value))) {
      throw new UnsendableError(
        `the value of the header ${name} has a line break or a character beyond Latin-1, which HTTP cannot send; encode it`,
      );
    }
  }
}

function notASandboxError(origin: string, { status }: Response): UnreachableError {
  return new UnreachableError(`the server at ${origin} is not a card-sandbox`, origin, status);
}

/** Whether `fetch` rejected because of the network. Any other error says itself what is wrong. */
function isNetworkError(error: unknown): boolean {
  return isError(error) && error.message === 'fetch failed';
}

/** Codes of a connection that was open. */
const CLOSED = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

function unreachableError(origin: string, error: unknown): UnreachableError {
  const reason = failureReason(error);
  const why = reason === null ? '' : ` (${reason})`;
  const message =
    reason !== null && CLOSED.test(reason)
      ? `the connection to ${origin} was closed before the response${why}: the sandbox has stopped, or a fault did it`
      : `no sandbox answers at ${origin}${why}`;
  return new UnreachableError(message, origin);
}
