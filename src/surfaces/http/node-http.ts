import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiRequest, ApiResponse } from '../../kernel/request/http.ts';
import { afterPendingResponses } from './pending-responses.ts';
import { type Sending, send } from './send.ts';

/** Answers requests that Node's HTTP server brings. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Path and query of a request. */
export type Target = Pick<ApiRequest, 'path' | 'query'>;

/** What holds for all connections of a server. */
export interface Connections extends Sending {
  /** Takes the caller's address from X-Forwarded-For. */
  readonly trustProxy: boolean;
  /** How many bytes of a request's body are worth reading. */
  bodyLimit(head: ApiRequest): number;
}

/** Has `answer` answer a request once its body is there. */
export function respond(
  answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  connections: Connections,
): void {
  // Written out: to spread an object takes ten times as long as to name its members.
  const asked = (body: Uint8Array): ApiRequest => ({
    method: request.method ?? 'GET',
    path: target.path,
    query: target.query,
    headers: request.headers,
    body,
    remoteAddress: callerOf(request, connections.trustProxy),
  });
  const finish = (each: ApiResponse) => send(response, each, connections);
  readBody(
    request,
    () => connections.bodyLimit(asked(NOTHING)),
    body => {
      connections.outbox.open();
      const given = answer(asked(body));
      if (given instanceof Promise) void given.then(finish);
      else finish(given);
    },
  );
}

/** Hands over the body once it is whole, or as soon as it is known to be longer than the operation reads. */
function readBody(request: IncomingMessage, limitOf: () => number, done: (body: Uint8Array) => void): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) {
    done(NOTHING);
    return;
  }
  const limit = limitOf();
  if (Number(length) > limit) {
    request.resume();
    done(NOTHING);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    if (size > limit) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) done(Buffer.concat(chunks));
  });
  request.on('end', () => {
    if (size <= limit) done(Buffer.concat(chunks));
  });
}

const NOTHING = new Uint8Array();
const JSON_TYPE = 'application/json; charset=utf-8';

/** Splits a request target; a proxy's absolute form loses its scheme and host. */
export function parseTarget(target: string): Target {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function callerOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = request.headers['x-forwarded-for'];
  const first = trustProxy && typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined;
  return first || (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
}

/** Answers a request that no operation can answer, in the shape of every error. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = errorBody(message);
  response.writeHead(status, {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

function errorBody(message: string): string {
  return JSON.stringify({ success: false, error: message });
}

/**
 * Answers what is not even HTTP with the simple error body. Requests that came whole before it, over the same
 * connection, get their answers first: they would seem refused otherwise, and are not.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else afterPendingResponses(socket, () => refuseNow(error, socket));
}

function refuseNow(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message]: readonly [string, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'the headers are too long']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'the request took too long to arrive']
        : ['400 Bad Request', 'the request is not valid HTTP/1.1'];
  refuseRaw(socket, status, message);
}

/** Answers on a bare socket, in the shape of every error, and hangs up. */
export function refuseRaw(socket: Duplex, status: string, message: string): void {
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
