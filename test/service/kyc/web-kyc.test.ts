import { expect, test } from 'vitest';
import { CARD_PROGRAM } from '../../support/cardholders.ts';
import { lastRequest } from '../../support/journal.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

const SESSIONS = '/partner/kyc-sessions';
const PATH = '/partner/cardholders';

/** The body of the `web` variant for a session. */
function fromWeb(kycSessionId: unknown, members: Record<string, unknown> = {}) {
  return newCardholder({ kycSource: 'web', kycSessionId, idp1ShareToken: undefined, ...members });
}

async function approvedSession({ api, control }: TestSandbox, identity = {}): Promise<string> {
  const { id } = (await api('POST', SESSIONS)).body;
  await control('POST', `/kyc-sessions/${id}/approve`, { identity });
  return id;
}

test('a session is open for a day, created with or without a body, and can be read', async () => {
  const sandbox = await startSandbox();
  const opened = await sandbox.api('POST', SESSIONS, {
    externalUserId: 'mia',
    redirectUrl: 'https://a.test/',
  });
  const { id } = opened.body;
  expect(opened.status).toBe(201);
  expect(opened.body).toEqual({
    id: expect.stringMatching(/^kycs_\w+$/),
    url: `${sandbox.origin}/kyc/${id}`,
    status: 'pending',
    externalUserId: 'mia',
    createdAt: START,
    expiresAt: '2026-03-16T10:00:00.000Z',
  });
  expect(await lastRequest(sandbox)).toMatchObject({ events: [], changes: ['created KYC session'] });
  expect(await sandbox.api('GET', `${SESSIONS}/${id}`)).toMatchObject({ status: 200, body: opened.body });
  expect(await sandbox.api('POST', SESSIONS)).toMatchObject({ status: 201, body: { externalUserId: null } });
});

test('an approved session provides name and address, even if the body has an address', async () => {
  const sandbox = await startSandbox();
  const identity = { firstName: 'Mia', lastName: 'Wong', residenceCity: 'Bonn' };
  const session = await approvedSession(sandbox, identity);
  const created = await sandbox.api('POST', PATH, fromWeb(session, { residenceCity: 'Berlin' }));
  expect(created).toMatchObject({
    status: 201,
    body: { firstName: 'Mia', lastName: 'Wong', kycSource: 'web', kycStatus: 'pending' },
  });
  const shown = await sandbox.control('GET', `/cardholders/${created.body.id}`);
  expect(shown.body.address).toMatchObject({ residenceCity: 'Bonn' });
});

test('what an approval leaves out of the identity is generated', async () => {
  const sandbox = await startSandbox();
  const created = await sandbox.api('POST', PATH, fromWeb(await approvedSession(sandbox)));
  expect(created.status).toBe(201);
  expect(created.body.firstName).toMatch(/./);
});

test('a rejected session has no identity, even if the rejection came with one', async () => {
  const { api, control } = await startSandbox();
  const { id } = (await api('POST', SESSIONS)).body;
  await control('POST', `/kyc-sessions/${id}/reject`, { identity: { firstName: 'Ada' } });
  const { body: state } = await control('GET', '/state');
  expect(state.tables.kycSessions).toMatchObject([{ id, status: 'rejected', identity: null }]);
});

test('a session expires after exactly 24 hours; one approved before stays approved', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  const waiting = (await api('POST', SESSIONS)).body.id;
  const done = await approvedSession(sandbox);
  const status = async (id: string) => (await api('GET', `${SESSIONS}/${id}`)).body.status;
  await control('POST', '/clock/advance', { duration: '86399999ms' });
  expect(await status(waiting)).toBe('pending');
  await control('POST', '/clock/advance', { duration: '1ms' });
  expect(await status(waiting)).toBe('expired');
  expect(await status(done)).toBe('approved');
  expect((await control('POST', `/kyc-sessions/${waiting}/approve`)).status).toBe(400);
  expect((await api('POST', PATH, fromWeb(done))).status).toBe(201);
});

test('a session is decided once', async () => {
  const sandbox = await startSandbox();
  const id = await approvedSession(sandbox);
  for (const verb of ['approve', 'reject']) {
    const reply = await sandbox.control('POST', `/kyc-sessions/${id}/${verb}`);
    const error = `KYC session ${id} is approved; only a pending one can be decided`;
    expect(reply).toMatchObject({ status: 400, body: { error } });
  }
  const unknown = await sandbox.control('POST', '/kyc-sessions/kycs_none/approve');
  expect(unknown).toMatchObject({ status: 404, body: { error: 'no KYC session with id "kycs_none"' } });
});

test('an e-mail conflict leaves the session unused', async () => {
  const sandbox = await startSandbox();
  const session = await approvedSession(sandbox);
  await sandbox.api('POST', PATH, newCardholder({ email: 'mia@example.com' }));
  const conflict = await sandbox.api('POST', PATH, fromWeb(session, { email: 'MIA@example.com' }));
  expect(conflict).toMatchObject({ status: 409, body: { error: { code: 'EMAIL_ALREADY_REGISTERED' } } });
  expect((await sandbox.api('POST', PATH, fromWeb(session))).status).toBe(201);
});

test('a web create for the same person is a 400 with a new session, and a 409 once locked', async () => {
  const sandbox = await startSandbox();
  const person = { externalUserId: 'mia', email: 'mia@example.com' };
  const { id } = (await sandbox.api('POST', PATH, fromWeb(await approvedSession(sandbox), person))).body;
  const fresh = await approvedSession(sandbox);
  const again = await sandbox.api('POST', PATH, fromWeb(fresh, person));
  expect(again.status).toBe(400);
  expect(again.body.error).toMatch(/re-import needs a share-token source/);
  const other = await sandbox.api('POST', PATH, newCardholder(person));
  expect(other.body.error).toMatch(/^body\.kycSource: .* web;/);
  await sandbox.api('POST', `${PATH}/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
  const locked = await sandbox.api('POST', PATH, fromWeb(fresh, person));
  expect(locked).toMatchObject({ status: 409, body: { error: { reason: 'provider_submitted' } } });
  expect((await sandbox.api('POST', PATH, fromWeb(fresh))).status).toBe(201);
});

test('the provider approves a cardholder from a session after the KYC delay', async () => {
  const sandbox = await startSandbox();
  const { id } = (await sandbox.api('POST', PATH, fromWeb(await approvedSession(sandbox)))).body;
  await sandbox.api('POST', `${PATH}/${id}/kyc`, { cardProgramId: CARD_PROGRAM });
  await sandbox.control('POST', '/clock/advance', { duration: '2s' });
  expect((await sandbox.api('GET', `${PATH}/${id}`)).body.kycStatus).toBe('approved');
});
