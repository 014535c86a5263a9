import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that are owed on each connection, in the order of their requests. */
const owed = new WeakMap<Duplex, Set<ServerResponse>>();

/** Notes that a request is to be answered, until it is. */
export function owe(response: ServerResponse): void {
  const { socket } = response.req;
  const all = owed.get(socket) ?? new Set();
  owed.set(socket, all.add(response));
  response.once('close', () => all.delete(response));
}

/** Does something once all requests that have come whole over a connection are answered; at once when all are. */
export function afterAnswers(socket: Duplex, task: () => void): void {
  const last = [...(owed.get(socket) ?? [])].filter(({ req }) => req.complete).at(-1);
  if (last === undefined) task();
  else last.once('close', task);
}
