// Receives webhooks and counts them. A message begins a new count and names the status to answer; the answer tells
// what the last count came to. `drained` waits until so many have come.
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
  if (message.expected !== undefined) await arrival(message.expected);
  process.send({ result: { port: server.address().port, count, elapsedMs: last - first } });
});

/** Resolves when so many webhooks have come, or when no more come. */
async function arrival(expected) {
  for (let since = performance.now(); count < expected; ) {
    const before = count;
    await new Promise(resolve => setTimeout(resolve, 5));
    if (count > before) since = performance.now();
    else if (performance.now() - since > STALL_MS) return;
  }
}
