import { expect, test } from 'vitest';
import {
  CARD_PROGRAM,
  createApprovedCardholder,
  createCardholder,
  createSubmittedCardholder,
} from '../../support/cardholders.ts';
import { lastRequest } from '../../support/journal.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

const submit = ({ api }: TestSandbox, id: string) =>
  api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
const advance = ({ control }: TestSandbox, duration: string) =>
  control('POST', '/clock/advance', { duration });
const kycStatus = async ({ api }: TestSandbox, id: string) =>
  (await api('GET', `/partner/cardholders/${id}`)).body.kycStatus;
const usage = async ({ api }: TestSandbox) => (await api('GET', '/partner/usage/records')).body;

test('a submission returns pending, locks re-import, writes one usage record and emits no event', async () => {
  const sandbox = await startSandbox();
  const id = await createCardholder(sandbox);
  const reply = await submit(sandbox, id);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ status: 'pending', cardholderId: id, cardProgramId: CARD_PROGRAM });
  expect(await lastRequest(sandbox)).toMatchObject({
    events: [],
    changes: ['updated cardholder', 'created usage record'],
  });
  expect((await sandbox.control('GET', `/cardholders/${id}`)).body).toMatchObject({
    kycStatus: 'pending',
    kyc: { state: 'in_flight', cardProgramId: CARD_PROGRAM, submittedAt: START, decidedAt: null },
    lockReason: 'provider_submitted',
  });
  expect(await usage(sandbox)).toMatchObject({
    total: 1,
    data: [{ type: 'kyc_verification', referenceId: id }],
  });
});

test('the provider decides exactly when the KYC delay is over', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox);
  await advance(sandbox, '1999ms');
  expect(await kycStatus(sandbox, id)).toBe('pending');
  await advance(sandbox, '1ms');
  expect(await kycStatus(sandbox, id)).toBe('approved');
});

test('the KYC delay is configurable, and a decision has its own due time as timestamp', async () => {
  const sandbox = await startSandbox({ kycDelay: '1h' });
  const id = await createSubmittedCardholder(sandbox, { idp1ShareToken: 'idp1_test_reject_1' });
  await advance(sandbox, '3599999ms');
  expect(await kycStatus(sandbox, id)).toBe('pending');
  await advance(sandbox, '1d');
  expect((await sandbox.control('GET', `/cardholders/${id}`)).body).toMatchObject({
    kycStatus: 'rejected',
    kyc: { state: 'rejected', submittedAt: START, decidedAt: '2026-03-15T11:00:00.000Z' },
    lockReason: 'provider_submitted',
  });
});

test('a manual outcome waits for the control plane, without a timer', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox, { idp1ShareToken: 'idp1_test_manual_1' });
  expect((await sandbox.control('GET', '/clock')).body.pendingTimers).toBe(0);
  await advance(sandbox, '30d');
  expect(await kycStatus(sandbox, id)).toBe('pending');
  await sandbox.control('POST', `/cardholders/${id}/kyc/approve`);
  expect(await kycStatus(sandbox, id)).toBe('approved');
});

test('a rejected cardholder may be submitted again: it is pending, billed and decided again', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox, { idp1ShareToken: 'idp1_test_reject_1' });
  await advance(sandbox, '2s');
  expect(await kycStatus(sandbox, id)).toBe('rejected');
  expect(await submit(sandbox, id)).toMatchObject({ status: 200, body: { status: 'pending' } });
  expect(await kycStatus(sandbox, id)).toBe('pending');
  expect((await usage(sandbox)).total).toBe(2);
  await advance(sandbox, '2s');
  expect(await kycStatus(sandbox, id)).toBe('rejected');
});

test('a manual decision cancels the timer, which then does not decide a later submission early', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox);
  await advance(sandbox, '1s');
  expect((await sandbox.control('POST', `/cardholders/${id}/kyc/reject`)).body.kycStatus).toBe('rejected');
  expect((await sandbox.control('GET', '/clock')).body.pendingTimers).toBe(0);
  await submit(sandbox, id);
  await advance(sandbox, '1999ms');
  expect(await kycStatus(sandbox, id)).toBe('pending');
  await advance(sandbox, '1ms');
  expect(await kycStatus(sandbox, id)).toBe('approved');
});

test('the provider also decides about a cardholder who was suspended in the meantime', async () => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox);
  await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'suspended' });
  await advance(sandbox, '2s');
  expect((await sandbox.api('GET', `/partner/cardholders/${id}`)).body).toMatchObject({
    status: 'suspended',
    kycStatus: 'approved',
  });
});

test('a decision is refused unless a submission is in flight', async () => {
  const sandbox = await startSandbox();
  for (const id of [await createCardholder(sandbox), await createApprovedCardholder(sandbox)]) {
    for (const verb of ['approve', 'reject']) {
      const before = await sandbox.control('GET', `/cardholders/${id}`);
      const reply = await sandbox.control('POST', `/cardholders/${id}/kyc/${verb}`);
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatch(`cardholder ${id} has no KYC submission in flight`);
      expect((await sandbox.control('GET', `/cardholders/${id}`)).body).toEqual(before.body);
    }
  }
});

test('what is refused without approved KYC names the way to it that works in the state of the cardholder', async () => {
  const sandbox = await startSandbox();
  const refusal = async (id: string) => {
    const body = { cardholderId: id, cardProgramId: CARD_PROGRAM };
    return (await sandbox.api('POST', '/partner/cards', body)).body.error;
  };
  const fresh = await createCardholder(sandbox);
  expect(await refusal(fresh)).toMatch(`submit its KYC with POST /v1/partner/cardholders/${fresh}/kyc`);
  const submitted = await createSubmittedCardholder(sandbox, { idp1ShareToken: 'idp1_test_manual_1' });
  expect(await refusal(submitted)).toMatch(
    `or make it with POST /_sandbox/cardholders/${submitted}/kyc/approve`,
  );
  await sandbox.control('POST', `/cardholders/${submitted}/kyc/reject`);
  expect(await refusal(submitted)).toMatch(
    `submit its KYC with POST /v1/partner/cardholders/${submitted}/kyc`,
  );
  await sandbox.control('POST', `/cardholders/${submitted}/status`, { status: 'suspended' });
  const decided = await sandbox.control('POST', `/cardholders/${submitted}/kyc/approve`);
  expect(decided.body.error).toMatch('it is suspended, and KYC needs an active cardholder');
});

test('where a rejection is final, no refusal says to submit the KYC again', async () => {
  const sandbox = await startSandbox({ assume: { 'kyc-after-rejection': 'refused' } });
  const id = await createSubmittedCardholder(sandbox, { idp1ShareToken: 'idp1_test_reject_1' });
  await advance(sandbox, '2s');
  const card = await sandbox.api('POST', '/partner/cards', { cardholderId: id, cardProgramId: CARD_PROGRAM });
  const decided = await sandbox.control('POST', `/cardholders/${id}/kyc/approve`);
  for (const { status, body } of [card, decided]) {
    expect(status).toBe(400);
    expect(body.error).toMatch('kyc-after-rejection=refused keeps it from being submitted again');
  }
});
