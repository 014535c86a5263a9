import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse } from '../../kernel/request/http.ts';
import { MAX_BODY_BYTES } from '../../sandbox/sandbox.ts';
import type { BodyBuffer } from './body-buffer.ts';
import { refuse } from './refuse.ts';
import { type SendContext, send } from './send.ts';
import { streamBody } from './streamed-body.ts';

/** Path and query of a request. */
export type Target = Pick<ApiRequest, 'path' | 'query'>;

/** What applies to all requests of a server. */
export interface ServerContext extends SendContext {
  /** Takes the caller's address from the last entry of X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** Holds the unfinished bodies of all requests. */
  readonly bodies: BodyBuffer;
  /** Whether the body of a request is passed on in pieces. */
  streamsBody(head: ApiRequest): boolean;
}

const EMPTY = new Uint8Array();
const TOO_MANY_BODIES =
  'body: too many large bodies arrive at once, 64 MiB of them are unfinished; finish those first, then send this one again';

/** Reads the body of a request, calls `handle` and sends its response. */
export function respond(
  handle: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): void {
  // Each member is copied by name: spreading an object takes ten times as long.
  const toApiRequest = (body: Uint8Array): ApiRequest => ({
    method: request.method ?? 'GET',
    path: target.path,
    query: target.query,
    headers: request.headers,
    body,
    remoteAddress: callerOf(request, context.trustProxy),
  });
  const finish = (result: ApiResponse) => send(response, result, context);
  const pass = (complete: ApiRequest) => {
    context.outbox.open();
    const result = handle(complete);
    if (result instanceof Promise) void result.then(finish);
    else finish(result);
  };
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if ((length === undefined || length === '0') && encoding === undefined) {
    pass(toApiRequest(EMPTY));
    return;
  }
  const head = toApiRequest(EMPTY);
  if (context.streamsBody(head)) {
    pass({ ...head, content: streamBody(request, response) });
    return;
  }
  readBody(
    request,
    context.bodies,
    body => pass(toApiRequest(body)),
    () => refuse(response, 503, TOO_MANY_BODIES),
  );
}

/**
 * Passes on the body once it is complete, or the beginning of it once it is known to exceed the limit. Calls `onFull`
 * instead when the server holds too much of other unfinished bodies.
 */
function readBody(
  request: IncomingMessage,
  bodies: BodyBuffer,
  done: (body: Uint8Array) => void,
  onFull: () => void,
): void {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    request.resume();
    done(EMPTY);
    return;
  }
  const body = bodies.begin();
  let size = 0;
  let isDone = false;
  request.on('data', (chunk: Buffer) => {
    if (isDone) return;
    size += chunk.length;
    if (!body.add(chunk)) {
      isDone = true;
      onFull();
    } else if (size > MAX_BODY_BYTES) {
      isDone = true;
      done(body.take());
    }
  });
  request.on('end', () => {
    if (isDone) return;
    isDone = true;
    done(body.take());
  });
  // A client that disconnects halfway gives its bytes back.
  request.on('close', () => body.take());
}

/** Splits a request target into path and query. The absolute form that proxies use loses its scheme and host. */
export function parseTarget(target: string): Target {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function callerOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = request.headers['x-forwarded-for'];
  // The proxy appends the address that it saw; the caller may have sent the entries before it.
  const last = trustProxy && typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return last || (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}
