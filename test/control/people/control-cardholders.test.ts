import { expect, test } from 'vitest';
import { createCard, createCardholder, createSubmittedCardholder } from '../../support/cardholders.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

const STATES = ['active', 'suspended', 'closed'] as const;
const ALLOWED = ['active suspended', 'suspended active', 'active closed', 'suspended closed'];
const moves = STATES.flatMap(from => STATES.map(to => [from, to] as const));

test.each(moves)(
  'the control plane moves a cardholder from %s to %s only where the states allow it',
  async (from, to) => {
    const sandbox = await startSandbox();
    const { api, control } = sandbox;
    const id = await createCardholder(sandbox);
    if (from !== 'active') await control('POST', `/cardholders/${id}/status`, { status: from });
    const before = (await control('GET', `/cardholders/${id}`)).body;
    expect(before.status).toBe(from);
    const reply = await control('POST', `/cardholders/${id}/status`, { status: to });
    const after = (await control('GET', `/cardholders/${id}`)).body;
    if (ALLOWED.includes(`${from} ${to}`)) {
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ ...before, status: to });
      expect(after).toEqual(reply.body);
      expect((await api('GET', `/partner/cardholders/${id}`)).body.status).toBe(to);
    } else {
      expect(reply).toMatchObject({ status: 400, body: { success: false } });
      const why = from === 'closed' ? 'closed is final' : 'that is its status already';
      expect(reply.body.error).toBe(`body.status: cardholder ${id} is ${from}; ${why}`);
      expect(after).toEqual(before);
    }
  },
);

test.each<[unknown, string]>([
  [{}, 'body.status: is required and must be one of "active", "suspended", "closed"'],
  [{ status: 'open' }, 'body.status: must be one of "active", "suspended", "closed"'],
])('a status of %j is refused', async (body, error) => {
  const sandbox = await startSandbox();
  const id = await createCardholder(sandbox);
  const reply = await sandbox.control('POST', `/cardholders/${id}/status`, body);
  expect(reply).toMatchObject({ status: 400, body: { success: false, error } });
});

test.each<[string, string, unknown]>([
  ['GET', '', undefined],
  ['POST', '/status', { status: 'closed' }],
  ['POST', '/kyc/approve', undefined],
  ['POST', '/kyc/reject', undefined],
])('%s cardholders/{id}%s of an unknown id is a 404', async (method, path, body) => {
  const { control } = await startSandbox();
  const reply = await control(method, `/cardholders/ch_none${path}`, body);
  expect(reply.status).toBe(404);
  expect(reply.body).toEqual({ success: false, error: 'no cardholder with id "ch_none"' });
});

test.each([
  ['approve', 'approved'],
  ['reject', 'rejected'],
])('%s decides a submission in flight at once', async (verb, kycStatus) => {
  const sandbox = await startSandbox();
  const id = await createSubmittedCardholder(sandbox);
  await sandbox.control('POST', '/clock/advance', { duration: '500ms' });
  const reply = await sandbox.control('POST', `/cardholders/${id}/kyc/${verb}`);
  expect(reply).toMatchObject({
    status: 200,
    body: {
      id,
      kycStatus,
      kyc: { state: kycStatus, submittedAt: START, decidedAt: '2026-03-15T10:00:00.500Z' },
      lockReason: 'provider_submitted',
    },
  });
  expect((await sandbox.api('GET', `/partner/cardholders/${id}`)).body.kycStatus).toBe(kycStatus);
  expect((await sandbox.control('GET', '/clock')).body.pendingTimers).toBe(0);
});

test('a card shows as the reason of the lock', async () => {
  const sandbox = await startSandbox();
  await createCard(sandbox);
  const { id } = (await sandbox.api('GET', '/partner/cardholders')).body.data[0];
  expect((await sandbox.control('GET', `/cardholders/${id}`)).body.lockReason).toBe('card_issued');
});

test('the control plane reaches the cardholders of every partner', async () => {
  const sandbox = await startSandbox();
  const id = await createCardholder({ ...sandbox, api: sandbox.globex });
  const details = await sandbox.control('GET', `/cardholders/${id}`);
  expect(details).toMatchObject({ status: 200, body: { partnerId: 'partner_globex' } });
});
