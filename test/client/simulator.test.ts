import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { START } from '../support/sandbox.ts';

/** A sandbox, stopped after the test. */
function started(): Sandbox {
  const sandbox = createSandbox({ fixtures: ['starter'], clock: START });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test('simulate.card makes a cardholder with an active card that pays', async () => {
  const sandbox = started();
  const card = await sandbox.simulate.card({ limit: 50 });
  expect(card).toMatchObject({ status: 'active', limit: 50, partnerId: 'partner_acme' });
  expect(await sandbox.cardholders.get(card.cardholderId)).toMatchObject({
    kycStatus: 'approved',
    status: 'active',
  });
  expect(await sandbox.simulate.authorize({ cardId: card.id, amount: 9 })).toMatchObject({
    status: 'authorized',
  });
  const other = await sandbox.simulate.card();
  expect(other.cardholderId).not.toBe(card.cardholderId);
  expect(await sandbox.requests.list()).toEqual([]);
});

test('simulate.card issues to a known cardholder, and to one of the partner of a handle', async () => {
  const sandbox = started();
  const card = await sandbox.simulate.card({ cardholderId: 'ch_mia_approved', activate: false });
  expect(card).toMatchObject({ cardholderId: 'ch_mia_approved', status: 'created' });
  const globex = sandbox.as('partner_globex');
  const { id } = await globex.simulate.card();
  expect(await globex.api.cards.get(id)).toMatchObject({ status: 'active', programId: 'prog_globex' });
  await expect(globex.simulate.card({ cardholderId: 'ch_mia_approved' })).rejects.toMatchObject({
    status: 404,
  });
});

test('simulate.limits changes what a card may spend', async () => {
  const { simulate } = started();
  const { id } = await simulate.card();
  expect(await simulate.limits(id, { limit: 5 })).toMatchObject({ id, limit: 5 });
  expect(await simulate.authorize({ cardId: id, amount: 6 })).toMatchObject({
    declineReason: 'card_limit_exceeded',
  });
});

test('simulate.verify without a passcode submits the correct one', async () => {
  const sandbox = started();
  const { challengeId } = await sandbox.simulate.challenge('card_mia_active');
  expect(await sandbox.simulate.verify(challengeId)).toMatchObject({ status: 'approved' });
  await expect(sandbox.simulate.verify(challengeId)).rejects.toMatchObject({ status: 400 });
  const late = await sandbox.simulate.challenge('card_mia_active');
  await sandbox.clock.advance('60s');
  expect(await sandbox.simulate.verify(late.challengeId)).toMatchObject({ status: 'failed' });
});

test('simulate.increment, reverse and settle change the amount of an authorization', async () => {
  const { simulate, kycSessions, kyc, api } = started();
  const paid = await simulate.authorize({ cardId: 'card_mia_active', amount: 80, merchant: 'hotel' });
  const raised = await simulate.increment(paid.id, { amount: 20 });
  expect(raised).toMatchObject({ approved: true, amount: 100 });
  expect(await simulate.increment(paid.id, { amount: 1e6 })).toMatchObject({ approved: false });
  expect(await simulate.reverse(paid.id, { amount: 30 })).toMatchObject({ status: 'authorized', amount: 70 });
  await expect(simulate.settle(paid.id, { amount: 75 })).rejects.toMatchObject({ status: 400 });
  expect(await simulate.settle(paid.id, { amount: 75, force: true })).toMatchObject({ settledAmount: 75 });
  const rejected = await kyc.reject('ch_nora_in_flight', { reasons: ['underage'] });
  expect(rejected.kyc.reasons).toEqual(['underage']);
  const { id } = await api.kycSessions.create({});
  expect(await kycSessions.reject(id, { reasons: ['other'] })).toMatchObject({ reasons: ['other'] });
});
