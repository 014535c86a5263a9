import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Content } from '../../core/request/http.ts';

/** How long a client may send nothing of a body that is waited for. */
const STALL_MS = 10_000;

/** The connections whose current request has a streamed body. */
const streaming = new WeakSet<Duplex>();

/**
 * The body of a request in pieces. No more is read from the connection than is asked for. Rejects when the client
 * disconnects or stalls.
 */
export function streamBody(request: IncomingMessage, response: ServerResponse): Content {
  const { socket } = request;
  streaming.add(socket);
  response.once('close', () => streaming.delete(socket));
  return pieces(request);
}

/** Whether the request on a connection may take as long as its body is read, because it is streamed. */
export function isStreaming(socket: Duplex): boolean {
  return streaming.has(socket);
}

async function* pieces(request: IncomingMessage): AsyncGenerator<Uint8Array, void, void> {
  // A refused request gets its response on the connection.
  const body = request.iterator({ destroyOnReturn: false });
  for (;;) {
    const { done, value } = await unlessStalled(body.next());
    if (done) return;
    yield value;
  }
}

function unlessStalled<T>(next: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the client sends nothing')), STALL_MS);
    timer.unref();
    void next.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
