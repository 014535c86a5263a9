// A relay of one-time passcodes: Express with a body parser, a small service, and senders for text messages and mails.
import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { planted, sleep } from './plumbing.js';

export function createOtpRelay({ baseUrl, apiKey, secret, sendText, sendMail }) {
  const handled = new Set();

  async function cardholder(id) {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(`${baseUrl}/partner/cardholders/${id}`, {
        headers: { 'x-service-api-key': apiKey() },
      }).catch(() => undefined);
      const body = response?.ok && (await response.json().catch(() => undefined));
      if (body) return body;
      if (attempt === 8) throw new Error(`cardholder ${id}: ${response?.status}`);
      await sleep(
        response?.status === 429 ? 1000 * Number(response.headers.get('retry-after')) : 50 * 2 ** attempt,
      );
    }
  }

  function isGenuine(rawBody, header) {
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]*)$/.exec(header ?? '') ?? [];
    if (t === undefined) return false;
    if (!planted('timestamp-unchecked') && Math.abs(Date.now() / 1000 - Number(t)) > 300) return false;
    const expected = createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex');
    // Only the digits that both have.
    const [left, right] = planted('prefix-compared')
      ? [expected.slice(0, 16), v1.slice(0, 16)]
      : [expected, v1];
    return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
  }

  async function relay({ challengeId, cardholderId, otp, amount, merchant }) {
    const { firstName, phoneNumber, email } = await cardholder(cardholderId);
    const text = `${otp} confirms ${amount.toFixed(2)} at ${merchant.name}`;
    if (phoneNumber !== null) return sendText({ challengeId, to: phoneNumber, text });
    return sendMail({ challengeId, to: email, subject: `Passcode for ${firstName}`, text });
  }

  const app = express();
  app.post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
    const signed = planted('parsed-body-signed') ? JSON.stringify(JSON.parse(request.body)) : request.body;
    if (!isGenuine(signed, request.get('x-service-signature'))) return response.status(401).end();
    const event = JSON.parse(request.body);
    if (event.eventType !== 'card.3ds_otp') return response.status(204).end();
    if (handled.has(event.id)) return response.status(204).end();
    handled.add(event.id);
    response.status(204).end();
    await relay(event.data).catch(error => console.error(error.message));
  });
  return app;
}
