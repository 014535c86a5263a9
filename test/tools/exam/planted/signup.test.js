import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSandbox } from 'card-sandbox';
import { eventually } from './plumbing.js';
import { createSignup } from './signup.js';

const secret = 'the-secret-of-the-sign-up';
let sandbox;
let app;
before(async () => {
  sandbox = createSandbox({ webhookReceiver: request => app.receive(request) });
  app = createSignup({
    fetch: sandbox.fetch,
    baseUrl: sandbox.baseUrl,
    apiKey: () => sandbox.apiKey,
    secret,
  });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://sign-up.test/webhooks',
    webhookSecret: secret,
    subscribedEvents: ['cardholder.created', 'cardholder.kyc.updated', 'cardholder.approved', 'card.issued'],
  });
});
after(() => sandbox.close());

const signUp = (name, outcome = 'approve') =>
  app.signUp({
    name,
    email: `${name}@example.com`,
    phone: '+4915123456789',
    shareToken: `idp1_test_${outcome}_${name}`,
  });
/** A webhook that was not received is sent again a minute later. */
const aMinute = () => sandbox.clock.advance('1m');
async function kycBecomes(name, status) {
  await sandbox.clock.advance('2s');
  await eventually(() => assert.equal(app.customer(name).kyc, status), aMinute);
}

test('a customer is approved', async () => {
  assert.equal((await signUp('anna')).kyc, 'pending');
  await kycBecomes('anna', 'approved');
});

test('a customer is rejected', async () => {
  await signUp('boris', 'reject');
  await kycBecomes('boris', 'rejected');
});

test('an approved customer gets a card and a mail', async () => {
  await signUp('clara');
  await kycBecomes('clara', 'approved');
  const { card } = await app.orderCard('clara');
  await eventually(() => assert.equal(app.mails.length, 1), aMinute);
  assert.deepEqual(app.mails, ['clara@example.com: your card is ready']);
  assert.equal((await sandbox.api.cards.get(card)).status, 'created');
});

test('a customer who is not approved gets no card', async () => {
  await signUp('dora', 'manual');
  await assert.rejects(app.orderCard('dora'), /400/);
});
