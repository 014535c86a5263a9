// Runs below `card-sandbox exec`, which sets the environment.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { connect } from 'card-sandbox';
import { createOtpRelay } from './otp.js';
import { eventually } from './plumbing.js';

const { CARD_SANDBOX_URL, CARD_SANDBOX_WORLD, SERVICE_API_KEY, SERVICE_BASE_URL, SERVICE_WEBHOOK_SECRET } =
  process.env;
const sent = [];
let sandbox;
let server;
let url;
before(async () => {
  sandbox = await connect({ url: CARD_SANDBOX_URL, world: CARD_SANDBOX_WORLD });
  const app = createOtpRelay({
    baseUrl: SERVICE_BASE_URL,
    apiKey: () => SERVICE_API_KEY,
    secret: SERVICE_WEBHOOK_SECRET,
    sendText: message => sent.push(message),
    sendMail: message => sent.push(message),
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}/webhooks`;
  await sandbox.webhooks.configure({
    webhookUrl: 'https://otp.test/webhooks',
    webhookSecret: SERVICE_WEBHOOK_SECRET,
    subscribedEvents: ['card.3ds_otp'],
  });
  await sandbox.webhooks.forward({ url });
});
after(() => {
  server.close();
  server.closeAllConnections();
});

async function passcodeFor(challengeId) {
  const own = await eventually(() => {
    const messages = sent.filter(message => message.challengeId === challengeId);
    assert.equal(messages.length, 1);
    return messages;
  });
  return own[0].text.slice(0, 6);
}

test('a passcode reaches the cardholder and is accepted', async () => {
  const { id } = await sandbox.simulate.card();
  const { challengeId } = await sandbox.simulate.challenge(id);
  const result = await sandbox.simulate.verify(challengeId, await passcodeFor(challengeId));
  assert.equal(result.status, 'approved');
});

test('the message names amount and merchant', async () => {
  const { id } = await sandbox.simulate.card();
  const { challengeId } = await sandbox.simulate.challenge(id, {
    amount: 19.5,
    merchant: { name: 'Book Shop' },
  });
  await passcodeFor(challengeId);
  const [{ text }] = sent.filter(message => message.challengeId === challengeId);
  assert.match(text, /19\.50 at Book Shop$/);
});

test('two passcodes are two messages', async () => {
  const { id } = await sandbox.simulate.card();
  const first = await sandbox.simulate.challenge(id);
  const second = await sandbox.simulate.challenge(id);
  await passcodeFor(first.challengeId);
  await passcodeFor(second.challengeId);
});

test('a webhook with the signature of another secret is refused', async () => {
  const body = JSON.stringify({ id: 'evt_1', eventType: 'card.issued', data: {} });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', 'another secret').update(`${t}.${body}`).digest('hex');
  const headers = { 'x-service-signature': `t=${t},v1=${v1}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  assert.equal(response.status, 401);
});
