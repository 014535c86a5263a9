// A webhook receiver with nothing but Node. Start it with
//
//   SERVICE_WEBHOOK_SECRET=<the secret of your webhook configuration> node node.js
//
// and have the sandbox send to it: PATCH /partner/webhooks/config with this address, or start --forward-to it.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const SECRET = process.env.SERVICE_WEBHOOK_SECRET ?? '';
const PORT = Number(process.env.PORT ?? 3000);
const TOLERANCE_SECONDS = 5 * 60;
const LARGEST_BODY = 1024 * 1024;

if (SECRET === '') {
  console.error('SERVICE_WEBHOOK_SECRET is not set');
  process.exit(1);
}

// In production: a table with a unique column, written in the transaction that does the work.
const seen = new Set();

const server = createServer(async (request, response) => {
  const answer = (status, text) => response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  if (request.method !== 'POST') return answer(405, 'POST only');

  // 1. The raw bytes: what was signed is what was sent, not what a parser makes of it.
  if (!(Number(request.headers['content-length']) <= LARGEST_BODY)) {
    return answer(413, 'too large, or of unknown length');
  }
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return; // The sender hung up; there is nobody to answer.
  }
  const rawBody = Buffer.concat(chunks);

  // 2. Genuine and fresh, or nothing else happens.
  if (!isGenuine(rawBody, request.headers['x-service-signature'])) return answer(401, 'signature refused');

  let event;
  try {
    event = JSON.parse(rawBody.toString('utf8'));
  } catch {
    return answer(400, 'not JSON');
  }

  // 3. A retry, or a duplicate, has the id of the first: acknowledge it and do nothing.
  if (seen.has(event.id)) return answer(200, 'seen before');
  seen.add(event.id);

  // 4. Acknowledge first, work later: a slow answer counts as a failed delivery.
  answer(200, 'thanks');
  setImmediate(() => handle(event));
});

function isGenuine(rawBody, header) {
  const [, timestamp, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (timestamp === undefined) return false;
  const expected = createHmac('sha256', SECRET).update(`${timestamp}.`).update(rawBody).digest();
  // Constant time: how long it takes must not tell how much of a forged signature is right.
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

function handle(event) {
  // New types may come: what is not known is not an error.
  console.log(`handled ${event.eventType} ${event.id}`);
}

server.listen(PORT, '127.0.0.1', () => {
  console.log(`receiving on http://127.0.0.1:${server.address().port}/webhooks`);
});
