import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PRIVATE_HEADERS } from '../../sandbox/sandbox.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Responds to a request that no operation can handle with the simple error body, and closes the connection. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = errorBody(message);
  response.writeHead(status, {
    ...PRIVATE_HEADERS,
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

/** Responds on a bare socket with the simple error body, and closes it. `status` includes the reason phrase. */
export function refuseRaw(socket: Duplex, status: string, message: string): void {
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** How long a client may send nothing of a large body. */
const STALL_MS = 10_000;

/** The connections on which a large body arrives. */
const slow = new WeakSet<Duplex>();

/** Lets the body of a request take as long as bytes of it arrive. */
export function allowSlowBody(request: IncomingMessage): void {
  const { socket } = request;
  slow.add(socket);
  request.setTimeout(STALL_MS);
  request.once('end', () => {
    slow.delete(socket);
    request.setTimeout(0);
  });
}

/**
 * Responds to malformed HTTP with the simple error body. The complete requests before it on the same connection get
 * their responses first, so that the client does not take the error for the response to one of them.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && slow.has(socket)) return;
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

function errorBody(message: string): string {
  return JSON.stringify({ success: false, error: message });
}

/** The pending responses of each connection, in the order of their requests. Some of the first may be sent already. */
const pending = new WeakMap<Duplex, ServerResponse[]>();

/** Records that a response is pending on its connection. */
export function trackResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const responses = pending.get(socket);
  if (responses === undefined) {
    pending.set(socket, [response]);
    return;
  }
  while (responses[0]?.destroyed) responses.shift();
  responses.push(response);
}

/** Calls `task` once the responses to all complete requests of a connection are sent; now if none is pending. */
function afterPendingResponses(socket: Duplex, task: () => void): void {
  const unsent = (pending.get(socket) ?? []).filter(({ destroyed }) => !destroyed);
  const last = unsent.filter(({ req }) => req.complete).at(-1);
  if (last === undefined) task();
  else last.once('close', task);
}
