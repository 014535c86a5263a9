import { expect, test } from 'vitest';
import { createCardholder, createSubmittedCardholder } from '../../support/cardholders.ts';
import { lastRequest } from '../../support/journal.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cardholders';
const MIA = { externalUserId: 'mia', email: 'mia@example.com' };

/** A re-import for Mia with a new token. */
const reimportOf = (members: Record<string, unknown> = {}) => newCardholder({ ...MIA, ...members });

test('a re-import overwrites identity, e-mail, phone and address, keeps the rest, and emits no event', async () => {
  const sandbox = await startSandbox();
  const first = await sandbox.control('POST', '/share-tokens', {
    identity: { firstName: 'Mya', residenceCity: 'Bonn' },
    outcome: 'manual',
  });
  const before = await sandbox.api('POST', PATH, reimportOf({ idp1ShareToken: first.body.token }));
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  const identity = { firstName: 'Mia', lastName: 'Wong', residenceCity: 'Köln', postalCode: '50667' };
  const fresh = await sandbox.control('POST', '/share-tokens', { identity, outcome: 'reject' });
  const reply = await sandbox.api(
    'POST',
    PATH,
    reimportOf({
      idp1ShareToken: fresh.body.token,
      email: 'new@example.com',
      phoneNumber: '+491511111111',
      postalCode: '50668',
    }),
  );
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    ...before.body,
    firstName: 'Mia',
    lastName: 'Wong',
    email: 'new@example.com',
    phoneNumber: '+491511111111',
  });
  expect(await lastRequest(sandbox)).toEqual({
    events: [],
    changes: ['updated share token', 'updated cardholder'],
    hints: [],
  });
  const { body } = await sandbox.control('GET', `/cardholders/${before.body.id}`);
  const { firstName: _first, lastName: _last, ...address } = fresh.body.identity;
  expect(body.address).toEqual({ ...address, postalCode: '50668' });
  expect(body.kyc.outcome).toBe('reject');
});

test('address fields that a new snapshot leaves out stay', async () => {
  const sandbox = await startSandbox();
  const { id } = (await sandbox.api('POST', PATH, reimportOf({ residenceCity: 'Bonn' }))).body;
  const addressNow = async () => (await sandbox.control('GET', `/cardholders/${id}`)).body.address;
  const before = await addressNow();
  const { token } = (await sandbox.control('POST', '/share-tokens', {})).body;
  // Only a state document can have an incomplete identity; generated ones are complete.
  const { body: state } = await sandbox.control('GET', '/state');
  const bare = state.tables.shareTokens.find((row: { token: string }) => row.token === token);
  bare.identity = { firstName: 'Mia', lastName: 'Wong', postalCode: '50667' };
  expect((await sandbox.control('PUT', '/state', state)).status).toBe(204);
  expect((await sandbox.api('POST', PATH, reimportOf({ idp1ShareToken: token }))).status).toBe(200);
  expect(await addressNow()).toEqual({ ...before, postalCode: '50667' });
});

test('a re-import can change the case of its own e-mail address, and releases an address that it replaces', async () => {
  const sandbox = await startSandbox();
  await createCardholder(sandbox, MIA);
  const capitals = await sandbox.api('POST', PATH, reimportOf({ email: 'MIA@example.com' }));
  expect(capitals).toMatchObject({ status: 200, body: { email: 'MIA@example.com' } });
  expect((await sandbox.api('POST', PATH, reimportOf({ email: 'new@example.com' }))).status).toBe(200);
  const other = await sandbox.api('POST', PATH, newCardholder({ email: MIA.email }));
  expect(other.status).toBe(201);
  const taken = await sandbox.api('POST', PATH, newCardholder({ email: 'New@example.com' }));
  expect(taken).toMatchObject({ status: 409, body: { error: { code: 'EMAIL_ALREADY_REGISTERED' } } });
});

test('a suspended cardholder that is active again can be re-imported', async () => {
  const sandbox = await startSandbox();
  const id = await createCardholder(sandbox, MIA);
  await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'suspended' });
  await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'active' });
  expect(await sandbox.api('POST', PATH, reimportOf())).toMatchObject({ status: 200, body: { id } });
});

test("another partner's cardholder with the same external id is neither re-imported nor a conflict", async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox, MIA);
  const before = await sandbox.control('GET', `/cardholders/${id}`);
  const reply = await sandbox.globex('POST', PATH, reimportOf());
  expect(reply.status).toBe(201);
  expect(reply.body.id).not.toBe(id);
  expect((await sandbox.control('GET', `/cardholders/${id}`)).body).toEqual(before.body);
});
