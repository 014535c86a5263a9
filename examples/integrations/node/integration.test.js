// Run with: npx card-sandbox exec --allow-http-webhooks -- node --test
// or with:  npx card-sandbox exam -- node --test

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { Client } from './client.js';
import { onboard } from './onboarding.js';
import { contacts, feesOfMonth, monthsBetween, spentOn } from './reports.js';
import * as sandbox from './sandbox.js';
import { Store } from './store.js';
import { createReceiver, HANDLED_EVENTS, isGenuine } from './webhooks.js';

const { SERVICE_BASE_URL, SERVICE_WEBHOOK_SECRET } = process.env;
const client = new Client(SERVICE_BASE_URL, () => process.env.SERVICE_API_KEY);
const store = new Store();
const errors = [];
const receiver = createReceiver({ client, store, secrets: [SERVICE_WEBHOOK_SECRET], errors });
const person = {
  userId: 'user-4711',
  email: 'ada@example.com',
  phoneNumber: '+4915123456789',
  shareToken: 'idp1_test_approve_ada',
};
const bought = [];
let program;
let user;

before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const config = {
    webhookUrl: `http://127.0.0.1:${receiver.address().port}/webhooks`,
    webhookSecret: SERVICE_WEBHOOK_SECRET,
    subscribedEvents: HANDLED_EVENTS,
  };
  // To set the same configuration twice does no harm, so there is nothing to look up.
  await client.write('PATCH', '/partner/webhooks/config', config, async () => null);
  const isVirtual = each => each.type === 'virtual' && each.status === 'active';
  program = await client.find('/partner/card-programs', {}, isVirtual);
});

after(() => {
  receiver.close();
  receiver.closeAllConnections();
});

const onboardPerson = () =>
  onboard({ client, store, ...person, programId: program.id, pause: () => sandbox.advance('2s') });
const toldAbout = id => store.messages.filter(each => each.recordId === id).map(each => each.text);

test('a user becomes one cardholder with one active card', async () => {
  user = await onboardPerson();
  assert.equal((await onboardPerson()).cardId, user.cardId);
  assert.equal((await client.get('/partner/cards', { cardholderId: user.cardholderId })).total, 1);
  assert.equal((await client.get(`/partner/cards/${user.cardId}`)).status, 'active');
  assert.equal((await client.get(`/partner/cardholders/${user.cardholderId}`)).externalUserId, person.userId);
});

test('each customer message is sent once', async () => {
  await sandbox.allDelivered();
  assert.equal(user.kycStatus, 'approved');
  assert.deepEqual(store.cards.get(user.cardId).status, 'active');
  assert.deepEqual(toldAbout(user.cardholderId).sort(), ['welcome', 'you can have a card']);
  assert.deepEqual(toldAbout(user.cardId).sort(), ['card active', 'card created']);
});

test('purchases are summed to the cent', async () => {
  for (const amount of [20, 7, 4]) bought.push(await sandbox.purchase(user.cardId, amount));
  const settled = [await sandbox.settle(bought[0].id), await sandbox.settle(bought[1].id)];
  await sandbox.reverse(bought[2].id);
  await sandbox.allDelivered();
  const statuses = bought.map(({ id }) => store.transactions.get(id)?.status);
  assert.deepEqual(statuses, ['settled', 'settled', 'reversed']);
  const cents = exactCents(settled.map(each => each.settledAmount));
  assert.equal(await spentOn(client, user.cardId), cents);
  assert.equal(store.settledCents(user.cardId), cents);
  assert.equal(toldAbout(user.cardId).filter(text => text.startsWith('paid')).length, 2);
});

test('the fees of all months are those of the program, and the bill of each month is complete', async () => {
  const own = new Set([user.cardholderId, user.cardId, ...bought.map(({ id }) => id)]);
  let cents = 0;
  for (const month of monthsBetween(program.createdAt, await sandbox.now())) {
    const fees = await feesOfMonth(client, month);
    for (const [reference, fee] of fees) if (own.has(reference)) cents += fee;
    const billed = [];
    for await (const { amount } of client.list('/partner/usage/records', { billingPeriod: month }))
      billed.push(amount);
    assert.equal(
      [...fees.values()].reduce((sum, fee) => sum + fee, 0),
      exactCents(billed),
      month,
    );
  }
  const { kyc_verification, card_issuance, transaction_processing: each } = program.fees;
  assert.equal(cents, exactCents([kyc_verification, card_issuance, each, each, each]));
});

test('every cardholder is a contact', async () => {
  const all = await contacts(client);
  assert.equal(new Set(all.map(({ id }) => id)).size, await sandbox.count('cardholders'));
  assert.equal(all.find(({ id }) => id === user.cardholderId).phone, '…789');
});

test('a delivery is genuine under the old secret and the new one', () => {
  const body = Buffer.from('{"id":"evt_1"}');
  const header = `t=1000,v1=${createHmac('sha256', 'the old secret').update('1000.').update(body).digest('hex')}`;
  assert.equal(isGenuine(body, header, ['the new secret', 'the old secret'], 1000), true);
});

test('the receiver had no trouble', async () => {
  await sandbox.allDelivered();
  assert.deepEqual(errors, []);
});

/** The sum in cents, computed from the decimal text. */
function exactCents(amounts) {
  return amounts.reduce((sum, amount) => sum + Number(amount.toFixed(2).replace('.', '')), 0);
}
