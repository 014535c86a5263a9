// A webhook receiver without dependencies. Start it with
//
//   SERVICE_WEBHOOK_SECRET=<the secret of your webhook configuration> node node.js
//
// then send webhooks to it: PATCH /partner/webhooks/config with its address, or start the sandbox with --forward-to.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const SECRET = process.env.SERVICE_WEBHOOK_SECRET ?? '';
const PORT = Number(process.env.PORT ?? 3000);
const TOLERANCE_SECONDS = 5 * 60;
const MAX_BODY_BYTES = 1024 * 1024;

if (SECRET === '') {
  console.error('SERVICE_WEBHOOK_SECRET is not set');
  process.exit(1);
}

// In production: a table with a unique column for the ID, so that a crash loses nothing.
const events = new Map();

const server = createServer(async (request, response) => {
  const respond = (status, text) => response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  if (request.method !== 'POST') return respond(405, 'POST only');

  // 1. Read the raw bytes: the signature covers them, not the parsed body.
  if (!(Number(request.headers['content-length']) <= MAX_BODY_BYTES)) {
    return respond(413, 'too large, or no Content-Length');
  }
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return; // The sender disconnected.
  }
  const rawBody = Buffer.concat(chunks);

  // 2. Verify the signature and its age before anything else.
  if (!isGenuine(rawBody, request.headers['x-service-signature'])) return respond(401, 'invalid signature');

  let event;
  try {
    event = JSON.parse(rawBody.toString('utf8'));
  } catch {
    return respond(400, 'not JSON');
  }

  // 3. Store the event, and respond only then: what was acknowledged is not sent again. A retry or a duplicate has the
  //    same ID, and is stored once.
  const isNew = !events.has(event.id);
  if (isNew) events.set(event.id, event);
  respond(200, isNew ? 'stored' : 'already stored');

  // 4. Process it afterwards: a slow response counts as a failed delivery.
  if (isNew) setImmediate(() => handle(event));
});

function isGenuine(rawBody, header) {
  const [, timestamp, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (timestamp === undefined) return false;
  const expected = createHmac('sha256', SECRET).update(`${timestamp}.`).update(rawBody).digest();
  // Compare in constant time, so that the duration does not reveal how much of a forged signature is right.
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return false;
  return Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

function handle(event) {
  // Ignore unknown event types: new ones may be added.
  console.log(`handled ${event.eventType} ${event.id}`);
}

server.listen(PORT, '127.0.0.1', () => {
  console.log(`receiving on http://127.0.0.1:${server.address().port}/webhooks`);
});
