import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that are owed on each connection, in the order of their requests; those before them may be sent. */
const owed = new WeakMap<Duplex, ServerResponse[]>();

/** Notes that a request is to be answered. */
export function trackResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const all = owed.get(socket);
  if (all === undefined) {
    owed.set(socket, [response]);
    return;
  }
  while (all[0]?.destroyed) all.shift();
  all.push(response);
}

/** Does something once all requests that have come whole over a connection are answered; at once when all are. */
export function afterPendingResponses(socket: Duplex, task: () => void): void {
  const open = (owed.get(socket) ?? []).filter(({ destroyed }) => !destroyed);
  const last = open.filter(({ req }) => req.complete).at(-1);
  if (last === undefined) task();
  else last.once('close', task);
}
