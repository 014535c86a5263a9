import { expect, test } from 'vitest';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { POPULATED } from '../../support/fixtures/populated.ts';
import { lastRequest } from '../../support/journal.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cardholders';
const MIA = { externalUserId: 'mia', email: 'mia@example.com' };

/** A re-import for Mia with a new token. */
const reimportOf = (members: Record<string, unknown> = {}) => newCardholder({ ...MIA, ...members });

/** Sends a body that must be refused, checks that nothing changed and its token is unused, and returns the refusal. */
async function refused(sandbox: TestSandbox, id: string, body: Record<string, unknown>) {
  const before = await sandbox.control('GET', `/cardholders/${id}`);
  const reply = await sandbox.api('POST', PATH, body);
  expect(await lastRequest(sandbox)).toMatchObject({ events: [], changes: [] });
  expect((await sandbox.control('GET', `/cardholders/${id}`)).body).toEqual(before.body);
  const { idp1ShareToken, idp2ShareToken, kycSource } = body;
  const another = newCardholder({ idp1ShareToken, idp2ShareToken, kycSource });
  expect((await sandbox.api('POST', PATH, another)).status).toBe(201);
  return reply;
}

test('the body is checked before the lock', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox, MIA);
  const body = reimportOf({ phoneNumber: 'none' });
  expect(await refused(sandbox, id, body)).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^body\.phoneNumber: must be a phone number/) },
  });
});

test('the lock is checked before the source', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox, MIA);
  const body = reimportOf({ kycSource: 'idp2', idp2ShareToken: 'idp2_test_approve_1' });
  const reply = await refused(sandbox, id, body);
  expect(reply.status).toBe(409);
  expect(reply.body).toEqual({
    success: false,
    error: {
      code: 'CARDHOLDER_KYC_LOCKED',
      message: expect.stringContaining(id),
      cardholderId: id,
      reason: 'provider_submitted',
    },
  });
});

test('the lock takes precedence over all later checks', async () => {
  const sandbox = await startSandbox();
  await createCardholder(sandbox, { email: 'taken@example.com', idp1ShareToken: 'idp1_test_approve_used' });
  const id = await createSubmittedCardholder(sandbox, MIA);
  await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'closed' });
  const body = reimportOf({ email: 'taken@example.com', idp1ShareToken: 'idp1_test_approve_used' });
  const reply = await sandbox.api('POST', PATH, body);
  expect(reply).toMatchObject({ status: 409, body: { error: { code: 'CARDHOLDER_KYC_LOCKED' } } });
});

test('a card, even a cancelled one, takes precedence over a submission', async () => {
  const sandbox = await startSandbox();
  const id = await createApprovedCardholder(sandbox, MIA);
  const card = await sandbox.api('POST', '/partner/cards', { cardholderId: id, cardProgramId: CARD_PROGRAM });
  await sandbox.api('POST', `/partner/cards/${card.body.id}/cancel`);
  const reply = await refused(sandbox, id, reimportOf());
  expect(reply).toMatchObject({ status: 409, body: { error: { cardholderId: id, reason: 'card_issued' } } });
});

test.each(['approve', 'reject'])('a decided submission keeps its lock: %s', async decision => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox, MIA);
  await sandbox.control('POST', `/cardholders/${id}/kyc/${decision}`);
  const reply = await refused(sandbox, id, reimportOf());
  expect(reply).toMatchObject({ status: 409, body: { error: { reason: 'provider_submitted' } } });
});

test('the source is checked before the status', async () => {
  const sandbox = await startSandbox();
  const id = await createCardholder(sandbox, MIA);
  await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'suspended' });
  const body = reimportOf({ kycSource: 'idp2', idp2ShareToken: 'idp2_test_approve_1' });
  const reply = await refused(sandbox, id, body);
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatch(/^body\.kycSource: .* idp1;/);
});

test.each(['suspended', 'closed'])('the status is checked before the e-mail address: %s', async status => {
  const sandbox = await startSandbox();
  await createCardholder(sandbox, { email: 'taken@example.com' });
  const id = await createCardholder(sandbox, MIA);
  await sandbox.control('POST', `/cardholders/${id}/status`, { status });
  const reply = await refused(sandbox, id, reimportOf({ email: 'taken@example.com' }));
  expect(reply.status).toBe(400);
  expect(reply.body.error).toBe(`cardholder ${id} is ${status}; a re-import requires status active`);
});

test('the e-mail address is checked before the token', async () => {
  const sandbox = await startSandbox();
  const holder = await createCardholder(sandbox, {
    email: 'taken@example.com',
    idp1ShareToken: 'idp1_test_approve_1',
  });
  await createCardholder(sandbox, MIA);
  const body = reimportOf({ email: 'TAKEN@example.com', idp1ShareToken: 'idp1_test_approve_1' });
  expect(await sandbox.api('POST', PATH, body)).toMatchObject({
    status: 409,
    body: { error: { code: 'EMAIL_ALREADY_REGISTERED', existingCardholderId: holder } },
  });
});

test('an e-mail conflict on re-import changes nothing and leaves the token unused', async () => {
  const sandbox = await startSandbox();
  const holder = await createCardholder(sandbox, { email: 'taken@example.com' });
  const id = await createCardholder(sandbox, MIA);
  const reply = await refused(sandbox, id, reimportOf({ email: 'Taken@example.com' }));
  expect(reply).toMatchObject({ status: 409, body: { error: { existingCardholderId: holder } } });
});

test('a seeded cardholder of source api cannot be re-imported from any other source', async () => {
  const sandbox = await startSandbox({ fixtures: POPULATED });
  const body = newCardholder({ externalUserId: 'user_api', email: 'api@example.com' });
  const reply = await refused(sandbox, 'ch_api', body);
  expect(reply.status).toBe(400);
  expect(reply.body.error).toMatch(/^body\.kycSource: .* api;/);
});

test('a rejected person is sent to a new submission only while active', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox, { ...MIA, idp1ShareToken: 'idp1_test_reject_1' });
  await sandbox.control('POST', '/clock/advance', { duration: '2s' });
  const message = async () => (await sandbox.api('POST', PATH, reimportOf())).body.error.message;
  expect(await message()).toMatch(`its KYC can be submitted again (POST /partner/cardholders/${id}/kyc)`);
  for (const status of ['suspended', 'closed']) {
    await sandbox.control('POST', `/cardholders/${id}/status`, { status });
    expect(await message()).toMatch(/its identity can no longer be changed through the API$/);
  }
});
