// Runs below `card-sandbox exec`, which sets the environment.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from 'card-sandbox';
import { eventually } from './plumbing.js';
import { createTreasury } from './treasury.js';

const { CARD_SANDBOX_URL, CARD_SANDBOX_WORLD, SERVICE_API_KEY, SERVICE_BASE_URL, SERVICE_WEBHOOK_SECRET } =
  process.env;
let key = SERVICE_API_KEY;
let sandbox;
let treasury;
before(async () => {
  sandbox = await connect({ url: CARD_SANDBOX_URL, world: CARD_SANDBOX_WORLD });
  treasury = createTreasury({
    baseUrl: SERVICE_BASE_URL,
    vault: { read: () => key },
    secret: SERVICE_WEBHOOK_SECRET,
  });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://treasury.test/',
    webhookSecret: SERVICE_WEBHOOK_SECRET,
    subscribedEvents: ['balance.top_up', 'balance.alert', 'balance.low'],
  });
  await sandbox.webhooks.forward({ url: await treasury.start() });
});
after(() => treasury.stop());

/** The sandbox itself, past the API: control calls need no key. */
async function approvedCardholder() {
  const response = await sandbox.fetch('/_sandbox/cardholders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return (await response.json()).id;
}

test('a top-up is shown', async () => {
  const { topUps } = treasury.state;
  const { available } = await sandbox.simulate.topUp({ amount: 50 });
  await eventually(() => assert.equal(treasury.state.topUps, topUps + 1));
  await eventually(() => assert.equal(treasury.state.available, available));
});

test('several top-ups are shown', async () => {
  const { topUps } = treasury.state;
  await sandbox.simulate.topUp({ amount: 10 });
  await sandbox.simulate.topUp({ amount: 20 });
  const { available } = await sandbox.simulate.topUp({ amount: 30 });
  await eventually(() => assert.equal(treasury.state.topUps, topUps + 3));
  await eventually(() => assert.equal(treasury.state.available, available));
});

test('a card is issued and activated', async () => {
  const cardholder = await approvedCardholder();
  await treasury.issue(cardholder);
  const card = await treasury.activate(cardholder);
  assert.equal(card.status, 'active');
});

test('a suspended cardholder gets no card', async () => {
  const cardholder = await approvedCardholder();
  await sandbox.cardholders.setStatus(cardholder, 'suspended');
  await assert.rejects(treasury.issue(cardholder), /issue failed/);
});

test('a rotated key is used', async () => {
  const [partner] = await sandbox.partners.list();
  key = (await sandbox.partners.rotateKey(partner.id)).apiKey;
  const cardholder = await approvedCardholder();
  const card = await treasury.issue(cardholder);
  assert.ok(card.id);
});
