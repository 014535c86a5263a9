import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { AfterResponse } from '../../core/request/after-response.ts';
import type { ApiRequest, ApiResponse } from '../../core/request/http.ts';
import { MAX_BODY_BYTES } from '../../sandbox/sandbox.ts';
import { allowSlowBody, refuse } from './refuse.ts';
import { type SendContext, send } from './send.ts';

/** Path and query of a request. */
export type Target = Pick<ApiRequest, 'path' | 'query'>;

/** What applies to all requests of a server. */
export interface ServerContext extends SendContext {
  /** Takes the caller's address from the last entry of X-Forwarded-For. */
  readonly trustProxy: boolean;
  readonly bufferedBytes: BufferedBytes;
  readonly recentHeaders: RecentHeaders;
  /** The maximum size in bytes of the body of a request, which is not read yet. */
  maxBodyBytes(request: ApiRequest): number;
}

const EMPTY = new Uint8Array();
/** How an address of IP version 4 begins on a socket of version 6. */
const V4_IN_V6 = '::ffff:';
const TOO_MANY_BODIES =
  'body: too many large bodies arrive at once, 64 MiB of them are unfinished; finish those first, then send this one again';

type Handle = (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;

/** A request, and what waits for its response. */
type Received = ApiRequest & { readonly afterResponse: AfterResponse };

/** Reads the body of a request, calls `handle` and sends its response. */
export function respond(
  handle: Handle,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = context.recentHeaders.of(request);
  if ((length === undefined || length === '0') && encoding === undefined) {
    pass(handle, toApiRequest(target, request, EMPTY, context), response, context);
    return;
  }
  readBody(handle, target, request, response, context);
}

function toApiRequest(
  { path, query }: Target,
  request: IncomingMessage,
  body: Uint8Array,
  context: ServerContext,
): Received {
  const { method = 'GET' } = request;
  const headers = context.recentHeaders.of(request);
  const remoteAddress = callerOf(request, context);
  return { method, path, query, headers, body, remoteAddress, afterResponse: new AfterResponse() };
}

/** Calls `handle` with a complete request, and sends its response. */
function pass(handle: Handle, request: Received, response: ServerResponse, context: ServerContext): void {
  const { afterResponse } = request;
  const result = handle(request);
  if (result instanceof Promise) void result.then(each => send(response, each, afterResponse, context));
  else send(response, result, afterResponse, context);
}

/**
 * Passes on a request once its body is complete, or with the beginning of it once it is known to exceed the limit.
 * Refuses it when the server holds too much of other unfinished bodies.
 */
function readBody(
  handle: Handle,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): void {
  const length = Number(context.recentHeaders.of(request)['content-length']);
  const head = toApiRequest(target, request, EMPTY, context);
  const maxBytes = context.maxBodyBytes(head);
  if (length > maxBytes) {
    request.resume();
    pass(handle, head, response, context);
    return;
  }
  if (maxBytes > MAX_BODY_BYTES) allowSlowBody(request);
  const body = new BufferedBody(context.bufferedBytes);
  let isDone = false;
  const finish = () => {
    isDone = true;
    pass(handle, { ...head, body: body.take() }, response, context);
  };
  request.on('data', (chunk: Buffer) => {
    if (isDone) return;
    if (!body.add(chunk)) {
      isDone = true;
      refuse(response, 503, TOO_MANY_BODIES);
    } else if (body.size > maxBytes) finish();
  });
  request.on('end', () => {
    if (!isDone) finish();
  });
  // A client that disconnects halfway gives its bytes back. A body of a small known length has none to give back.
  if (!(length <= FREE_BYTES)) request.on('close', () => body.drop());
}

/** Splits a request target into path and query. The absolute form that proxies use loses its scheme and host. */
export function parseTarget(target: string): Target {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*\/?/i, '/');
  const mark = local.indexOf('?');
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function callerOf(request: IncomingMessage, { trustProxy, recentHeaders }: ServerContext): string {
  const forwarded = trustProxy ? recentHeaders.of(request)['x-forwarded-for'] : undefined;
  // The proxy appends the address that it saw; the caller may have sent the entries before it.
  const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  if (last) return withoutPort(last);
  const { remoteAddress = '' } = request.socket;
  return remoteAddress.startsWith(V4_IN_V6) ? remoteAddress.slice(V4_IN_V6.length) : remoteAddress;
}

/** Some proxies append the port of the caller, and write an IPv6 address in brackets. */
function withoutPort(address: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  return v6 ?? v4 ?? address;
}

/**
 * Reads the headers of requests. Those with the same headers as the request before share one copy: most clients send them
 * again, Node parses headers when they are first read, and the journal and the history keep them.
 */
export class RecentHeaders {
  #lines: readonly string[] = [];
  #headers: IncomingHttpHeaders = {};

  /** Returns the headers of a request, with names in lower case. */
  of(request: IncomingMessage): IncomingHttpHeaders {
    const { rawHeaders } = request;
    if (rawHeaders === this.#lines) return this.#headers;
    if (!areEqual(rawHeaders, this.#lines)) this.#headers = headersOf(request);
    this.#lines = rawHeaders;
    return this.#headers;
  }
}

/** Node.js reads the first of several `Host` headers. None of them is trusted: together they are no name of the sandbox. */
function headersOf(request: IncomingMessage): IncomingHttpHeaders {
  const { headers, rawHeaders } = request;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (/^host$/i.test(rawHeaders[index] ?? '')) hosts += 1;
  // Reading the distinct ones makes Node.js parse all of them a second time.
  return hosts > 1 ? { ...headers, host: request.headersDistinct.host?.join(', ') } : headers;
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index]) return false;
  }
  return true;
}

/** The start of each body that is kept whatever others hold, so that large bodies never get in the way of small ones. */
const FREE_BYTES = 64 * 1024;

/** Cap on the bytes that all unfinished bodies may hold beyond their starts. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** The bytes that the unfinished bodies of a server hold beyond their starts. */
export interface BufferedBytes {
  count: number;
}

/** What a body begins with. Never changed. */
const NONE: Buffer[] = [];

/** The chunks of one unfinished body. */
class BufferedBody {
  readonly #all: BufferedBytes;
  #chunks = NONE;
  #size = 0;

  constructor(all: BufferedBytes) {
    this.#all = all;
  }

  /** The bytes so far. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a chunk. Returns false, and drops the body, when the cap on unfinished bodies is reached. */
  add(chunk: Buffer): boolean {
    const size = this.#size + chunk.length;
    const more = beyondStart(size) - beyondStart(this.#size);
    if (more > 0 && this.#all.count + more > MAX_BUFFERED_BYTES) {
      this.drop();
      return false;
    }
    this.#all.count += more;
    // Most bodies are one chunk. Appending it to an empty list would make room for 17.
    if (this.#chunks.length === 0) this.#chunks = [chunk];
    else this.#chunks.push(chunk);
    this.#size = size;
    return true;
  }

  /** Ends the body: returns it and gives its bytes back. Empty after the first call. */
  take(): Uint8Array {
    const [first, second] = this.#chunks;
    // Most bodies arrive as one chunk, which is not copied.
    const whole = first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks);
    this.drop();
    return whole;
  }

  /** Ends the body without it: gives its bytes back. */
  drop(): void {
    this.#all.count -= beyondStart(this.#size);
    this.#chunks = NONE;
    this.#size = 0;
  }
}

function beyondStart(size: number): number {
  return Math.max(0, size - FREE_BYTES);
}
