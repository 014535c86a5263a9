import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createSandbox } from 'card-sandbox';
import { createLedger } from './ledger.js';
import { eventually } from './plumbing.js';

const secret = 'the-secret-of-the-ledger';
let sandbox;
let ledger;
beforeEach(async () => {
  sandbox = createSandbox({ webhookReceiver: request => ledger.receive(request) });
  const api = path =>
    sandbox.fetch(sandbox.baseUrl + path, { headers: { 'x-service-api-key': sandbox.apiKey } });
  ledger = createLedger({ api, secret });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://ledger.test/webhooks',
    webhookSecret: secret,
    subscribedEvents: ['card.transaction'],
  });
});
afterEach(() => sandbox.close());

const states = (cardId, expected) =>
  eventually(
    () => assert.deepEqual(ledger.statement(cardId), expected),
    () => sandbox.clock.advance('1m'),
  );

test('a purchase is held, then settled', async () => {
  const { id: cardId } = await sandbox.simulate.card();
  const { id } = await sandbox.simulate.authorize({ cardId, amount: 24.9 });
  await states(cardId, { settled: 0, held: 2490, entries: 1 });
  await sandbox.simulate.settle(id);
  await states(cardId, { settled: 2490, held: 0, entries: 2 });
});

test('a reversed purchase costs nothing', async () => {
  const { id: cardId } = await sandbox.simulate.card();
  const { id } = await sandbox.simulate.authorize({ cardId, amount: 12.5 });
  await sandbox.simulate.reverse(id);
  await states(cardId, { settled: 0, held: 0, entries: 2 });
  // It may be in the inbox, and not yet booked.
  await eventually(() => assert.equal(ledger.payment(id), 'reversed'));
});

test('a declined purchase is listed', async () => {
  const { id: cardId } = await sandbox.simulate.card();
  const { id } = await sandbox.simulate.authorize({ cardId, amount: 5, declineReason: 'do_not_honor' });
  await eventually(
    () => assert.equal(ledger.payment(id), 'declined'),
    () => sandbox.clock.advance('1m'),
  );
});

test('purchases add up', async () => {
  const { id: cardId } = await sandbox.simulate.card();
  for (const amount of [10, 20.5, 3.25]) {
    const { id } = await sandbox.simulate.authorize({ cardId, amount });
    await sandbox.simulate.settle(id);
  }
  await states(cardId, { settled: 3375, held: 0, entries: 6 });
});
