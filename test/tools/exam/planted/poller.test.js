import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createSandbox } from 'card-sandbox';
import { createPoller } from './poller.js';

let sandbox;
let poller;
beforeEach(() => {
  sandbox = createSandbox({ fixtures: ['empty'] });
  const { fetch, baseUrl, apiKey } = sandbox;
  poller = createPoller({ fetch, baseUrl, apiKey, loadKey: async () => sandbox.apiKey });
});
afterEach(() => sandbox.close());

async function applicant(outcome) {
  const { token } = await sandbox.mintShareToken({ outcome });
  const name = token.slice(-12);
  const { id } = await sandbox.api.cardholders.create({
    externalUserId: name,
    email: `${name}@example.com`,
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: token,
  });
  await sandbox.api.cardholders.initiateKyc(id, { cardProgramId: 'prog_everyday' });
  poller.watch(id);
  return id;
}

/** Rounds, one a second, until nobody waits. */
async function rounds(id) {
  for (let count = 0; count < 300 && poller.state(id) === 'waiting'; count++) {
    await poller.round();
    await sandbox.clock.advance('1s');
  }
}

test('an approved applicant is noticed', async () => {
  const id = await applicant('approve');
  await rounds(id);
  assert.equal(poller.state(id), 'approved');
});

test('a rejected applicant is noticed', async () => {
  const id = await applicant('reject');
  await rounds(id);
  assert.equal(poller.state(id), 'rejected');
});

test('the copy has all cards', async () => {
  const ids = [];
  for (let count = 0; count < 5; count++) ids.push((await sandbox.simulate.card()).id);
  await poller.round();
  assert.deepEqual(
    poller
      .cards()
      .map(({ id }) => id)
      .sort(),
    ids.sort(),
  );
});

test('the report counts cards by month', async () => {
  const month = (await sandbox.clock.now()).slice(0, 7);
  await sandbox.simulate.card();
  await poller.round();
  await sandbox.simulate.card();
  await poller.round();
  assert.deepEqual(poller.report(), { [month]: 2 });
});
