import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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
export function afterPendingResponses(socket: Duplex, task: () => void): void {
  const unsent = (pending.get(socket) ?? []).filter(({ destroyed }) => !destroyed);
  const last = unsent.filter(({ req }) => req.complete).at(-1);
  if (last === undefined) task();
  else last.once('close', task);
}
