// Receives webhooks and counts them. A message with `status` sets the response status and resets the count; one with
// `expected` waits until that many have arrived. The reply has the port, the count and the time between first and last.
import { createServer } from 'node:http';

const STALL_MS = 15_000;

let status = 200;
let count = 0;
let first = 0;
let last = 0;

const server = createServer((request, response) => {
  const now = performance.now();
  if (count === 0) first = now;
  count += 1;
  last = now;
  request.resume();
  request.on('end', () => response.writeHead(status).end());
}).listen(0, '127.0.0.1');

process.on('message', async message => {
  if (message.status !== undefined) {
    status = message.status;
    count = 0;
  }
  if (message.expected !== undefined) await arrivalOf(message.expected);
  process.send({ result: { port: server.address().port, count, elapsedMs: last - first } });
});

/** Resolves when that many webhooks have arrived, or when no more arrive. */
async function arrivalOf(expected) {
  for (let since = performance.now(); count < expected; ) {
    const before = count;
    await new Promise(resolve => setTimeout(resolve, 5));
    if (count > before) since = performance.now();
    else if (performance.now() - since > STALL_MS) return;
  }
}
