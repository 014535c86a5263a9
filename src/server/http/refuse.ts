import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clearTimeout, setImmediate, setTimeout } from '../../core/values/builtins.ts';
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
 * Responds to malformed HTTP with the simple error body, and to a request that came too late with none. The complete
 * requests before it on the same connection get their responses first, so that the client does not take the error for the
 * response to one of them.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
    afterPendingResponses(socket, () => refuseNow(error, socket));
  } else if (!slow.has(socket)) closeUnlessInTime(socket);
}

/** How long a request whose time is over, and of which bytes have arrived, has for the rest. */
const REST_MS = 5_000;

/**
 * Closes a connection on which the time of a request is over, unless bytes of it have arrived that are not read yet. After
 * this process was stopped or busy for a while, Node runs its timer before it reads a request that arrived in time.
 */
function closeUnlessInTime(socket: Duplex): void {
  const close = () => afterPendingResponses(socket, () => socket.destroy());
  const isIncomplete = nextRequest(socket);
  ifUnused(socket, close, () => {
    if (!isIncomplete()) return;
    const timer = setTimeout(() => ifUnused(socket, close, () => isIncomplete() && close()), REST_MS);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  });
}

/** Calls one task if no bytes arrive on a connection by the next turn of the event loop, and else the other. */
export function ifUnused(socket: Duplex, unused: () => void, used: () => void = () => undefined): void {
  const read = bytesRead(socket);
  setImmediate(() => (bytesRead(socket) === read ? unused() : used()));
}

function bytesRead(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesRead : 0;
}

function refuseNow(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message]: readonly [string, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'the headers are too long']
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

/** Returns a function that returns whether the request that is arriving on a connection now is still incomplete. */
function nextRequest(socket: Duplex): () => boolean {
  const before = pending.get(socket)?.at(-1);
  const hasHead = before !== undefined && !before.req.complete;
  return () => {
    const last = pending.get(socket)?.at(-1);
    return last === undefined || !last.req.complete || (last === before && !hasHead);
  };
}

/** Calls `task` once the responses to all complete requests of a connection are sent; now if none is pending. */
function afterPendingResponses(socket: Duplex, task: () => void): void {
  const unsent = (pending.get(socket) ?? []).filter(({ destroyed }) => !destroyed);
  const last = unsent.filter(({ req }) => req.complete).at(-1);
  if (last === undefined) task();
  else last.once('close', task);
}
