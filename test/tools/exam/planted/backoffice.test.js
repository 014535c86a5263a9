import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createSandbox } from 'card-sandbox';
import { BackOffice } from './backoffice.js';
import { eventually } from './plumbing.js';

const secret = 'the-secret-of-the-back-office';
let sandbox;
let office;
beforeEach(async () => {
  sandbox = createSandbox({ fixtures: ['empty'], webhookReceiver: request => office.receive(request) });
  const { fetch, baseUrl } = sandbox;
  office = new BackOffice({ fetch, baseUrl, apiKey: () => sandbox.apiKey, secret });
  await sandbox.webhooks.configure({
    webhookUrl: 'https://office.test/webhooks',
    webhookSecret: secret,
    subscribedEvents: ['cardholder.created', 'cardholder.kyc.updated'],
  });
});
afterEach(() => sandbox.close());

async function create(name) {
  const { token } = await sandbox.mintShareToken();
  return sandbox.api.cardholders.create({
    externalUserId: name,
    email: `${name}@example.com`,
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: token,
  });
}

test('the copy has all cardholders', async () => {
  for (const name of ['anna', 'boris', 'clara', 'dora', 'emil']) await create(name);
  await office.synchronize();
  assert.deepEqual(
    office
      .rows()
      .map(({ email }) => email)
      .sort(),
    ['anna', 'boris', 'clara', 'dora', 'emil'].map(name => `${name}@example.com`),
  );
});

test('the copy has the name and the state of KYC', async () => {
  const { id, firstName, lastName } = await create('anna');
  await office.synchronize();
  const [row] = office.rows();
  assert.equal(row.id, id);
  assert.equal(row.name, `${firstName} ${lastName}`);
  assert.equal(row.status, 'active');
});

test('a decision about KYC is shown', async () => {
  const { id } = await create('boris');
  await office.synchronize();
  await sandbox.api.cardholders.initiateKyc(id, { cardProgramId: 'prog_everyday' });
  await sandbox.kyc.approve(id);
  await eventually(
    async () => {
      await office.refresh();
      assert.equal(office.rows().find(row => row.id === id).kyc, 'verified');
    },
    () => sandbox.clock.advance('1m'),
  );
});

test('the export has one line per cardholder', async () => {
  for (const name of ['anna', 'boris', 'clara']) await create(name);
  await office.synchronize();
  assert.equal(office.csv().split('\n').length, 3);
});
