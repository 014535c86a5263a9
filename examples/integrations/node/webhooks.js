// The webhook receiver: verifies, ignores duplicates, accepts any order, and applies only what is ours.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { ApiError } from './client.js';

const TOLERANCE_SECONDS = 5 * 60;
const MAX_BODY_BYTES = 1024 * 1024;

/** The events that the integration handles. It acknowledges all others: new types may be added at any time. */
export const HANDLED_EVENTS = [
  'cardholder.created',
  'cardholder.kyc.updated',
  'cardholder.approved',
  'card.issued',
  'card.status.changed',
  'card.transaction',
];

/**
 * Whether a delivery is genuine and recent. The signature covers the raw bytes of the body. While the secret is being
 * replaced, `secrets` has the old one and the new one: retries of older deliveries are signed with the current secret.
 */
export function isGenuine(rawBody, header, secrets, nowSeconds = Date.now() / 1_000) {
  const [, timestamp, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (timestamp === undefined) return false;
  const sent = Buffer.from(signature, 'hex');
  const isSigned = secrets.some(secret => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
    // In constant time, so that the duration does not reveal how much of a forged signature is right.
    return timingSafeEqual(expected, sent);
  });
  return isSigned && Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS;
}

/** Creates the receiver as an HTTP server. `errors` collects what went wrong inside, as an error tracker would. */
export function createReceiver({ client, store, secrets, errors }) {
  return createServer(async (request, response) => {
    const respond = (status, text) => response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
    try {
      const rawBody = await readBody(request);
      if (rawBody === null) return respond(413, 'too large');
      const [status, text] = await receive(rawBody, request.headers, { client, store, secrets });
      respond(status, text);
    } catch (error) {
      // The sender retries. Until then the event does not count as seen.
      errors.push(error);
      respond(500, 'try again later');
    }
  });
}

async function receive(rawBody, headers, { client, store, secrets }) {
  // Verify before anything reads the body.
  if (!isGenuine(rawBody, headers['x-service-signature'], secrets)) return [401, 'invalid signature'];
  const event = JSON.parse(rawBody.toString('utf8'));
  if (store.hasSeen(event.id)) return [200, 'already seen'];
  if (!HANDLED_EVENTS.includes(event.eventType)) return [200, 'ignored'];
  const owner = await ownerOf(event, client, store);
  if (owner === 'another partner') return [404, 'no such record'];
  if (owner === 'nobody here') return [200, 'ignored'];
  // A duplicate may have overtaken this delivery during the look-up.
  if (store.markSeen(event.id)) store.apply(event);
  return [200, 'thanks'];
}

/**
 * Whose record an event is about. A record that is not known here is either new, because its webhook was faster than
 * the response of the request that created it, or it is none of ours. The API decides: it shows only our own records.
 */
async function ownerOf({ eventType, data }, client, store) {
  if (eventType.startsWith('cardholder.')) {
    if (store.userOf(data.id) !== null) return 'ours';
    const cardholder = await readOrNull(client, `/partner/cardholders/${data.id}`);
    if (cardholder === null) return 'another partner';
    const user = store.users.get(cardholder.externalUserId);
    if (user === undefined) return 'nobody here';
    store.linkCardholder(user, cardholder.id);
    return 'ours';
  }
  const cardId = eventType === 'card.transaction' ? data.cardId : data.id;
  if (store.cards.has(cardId)) return 'ours';
  if ((await readOrNull(client, `/partner/cards/${cardId}`)) === null) return 'another partner';
  for (const user of store.users.values()) {
    if (user.cardholderId === null || user.cardId !== null) continue;
    const isCard = card => card.id === cardId;
    if ((await client.find('/partner/cards', { cardholderId: user.cardholderId }, isCard)) === null) continue;
    store.linkCard(user, cardId);
    return 'ours';
  }
  // The response may have come during the look-up.
  return store.cards.has(cardId) ? 'ours' : 'nobody here';
}

async function readOrNull(client, path) {
  try {
    return await client.get(path);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
