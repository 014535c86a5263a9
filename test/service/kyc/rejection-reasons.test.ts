import { expect, test } from 'vitest';
import { createSubmittedCardholder } from '../../support/cardholders.ts';
import { sendForm, visit } from '../../support/pages.ts';
import { fakeReceiver, subscribe } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';

const REASONS = ['document_expired', 'name_mismatch'];

/** A sandbox whose webhooks are seen. */
async function listening() {
  const { transport, seen } = fakeReceiver();
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  const newSession = async () => (await sandbox.api('POST', '/partner/kyc-sessions', {})).body;
  /** Everything that a partner gets to see about a record, as text. */
  const publicTexts = async (path: string) => {
    await sandbox.control('POST', '/deliveries/settle');
    const events = await sandbox.api('GET', '/partner/webhooks/events');
    return JSON.stringify([await sandbox.api('GET', path), events, seen]);
  };
  return { ...sandbox, sandbox, newSession, publicTexts };
}

test('a rejected submission has its reasons in the control plane, and nowhere else', async () => {
  const { sandbox, control, publicTexts } = await listening();
  const id = await createSubmittedCardholder(sandbox);
  const { status, body } = await control('POST', `/cardholders/${id}/kyc/reject`, { reasons: REASONS });
  expect([status, body.kycStatus, body.kyc.reasons]).toEqual([200, 'rejected', REASONS]);
  expect((await control('GET', `/cardholders/${id}`)).body.kyc.reasons).toEqual(REASONS);
  const texts = await publicTexts(`/partner/cardholders/${id}`);
  expect(texts).toContain('cardholder.kyc.updated');
  expect(texts).not.toMatch(/reasons|name_mismatch/);
});

test('reasons are optional, each counts once, and another submission clears them', async () => {
  const { sandbox, api, control } = await listening();
  const id = await createSubmittedCardholder(sandbox);
  const reasons = async () => (await control('GET', `/cardholders/${id}`)).body.kyc.reasons ?? null;
  const submit = async () => {
    const { data } = (await api('GET', '/partner/card-programs')).body;
    expect((await api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: data[0].id })).status).toBe(
      200,
    );
  };
  expect(await reasons()).toBeNull();
  await control('POST', `/cardholders/${id}/kyc/reject`, { reasons: ['other', 'underage', 'other'] });
  expect(await reasons()).toEqual(['other', 'underage']);
  await submit();
  expect(await reasons()).toBeNull();
  await control('POST', `/cardholders/${id}/kyc/reject`);
  expect(await reasons()).toBeNull();
});

test('an unknown reason is refused, and the submission stays in flight', async () => {
  const { sandbox, control } = await listening();
  const id = await createSubmittedCardholder(sandbox);
  const refused = await control('POST', `/cardholders/${id}/kyc/reject`, { reasons: ['bad_photo'] });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: expect.stringMatching(/^body\.reasons\.0: must be one of "document_expired", .* "other"$/),
    },
  });
  expect((await control('GET', `/cardholders/${id}`)).body.kyc.state).toBe('in_flight');
});

test('a rejected session has its reasons in the control plane, and nowhere else', async () => {
  const { control, newSession, publicTexts } = await listening();
  const { id } = await newSession();
  const { status, body } = await control('POST', `/kyc-sessions/${id}/reject`, { reasons: REASONS });
  expect([status, body.status, body.reasons]).toEqual([200, 'rejected', REASONS]);
  expect((await control('GET', '/kyc-sessions')).body).toMatchObject([{ id, reasons: REASONS }]);
  const texts = await publicTexts(`/partner/kyc-sessions/${id}`);
  expect(texts).toContain('kyc_session.failed');
  expect(texts).not.toMatch(/reasons|name_mismatch/);
});

test('the hosted page offers the reasons, and stores those that are chosen with a rejection', async () => {
  const { control, newSession } = await listening();
  const { id, url } = await newSession();
  const { text } = await visit(url);
  for (const reason of [...REASONS, 'other']) expect(text).toContain(`name="reason" value="${reason}"`);
  await sendForm(url, { reason: 'selfie_mismatch', decision: 'reject' });
  expect((await control('GET', '/kyc-sessions')).body).toMatchObject([
    { id, status: 'rejected', reasons: ['selfie_mismatch'] },
  ]);
  const other = await newSession();
  await sendForm(other.url, { firstName: 'Mia', lastName: 'Wong', reason: 'other', decision: 'approve' });
  const [approved] = (await control('GET', '/kyc-sessions')).body;
  expect(approved).toMatchObject({ id: other.id, status: 'approved' });
  expect(approved).not.toHaveProperty('reasons');
});

test('a state document keeps the reasons', async () => {
  const { sandbox, control, newSession } = await listening();
  const cardholder = await createSubmittedCardholder(sandbox);
  await control('POST', `/cardholders/${cardholder}/kyc/reject`, { reasons: REASONS });
  await control('POST', `/kyc-sessions/${(await newSession()).id}/reject`, { reasons: REASONS });
  const { body: document } = await control('GET', '/state');
  await control('POST', '/reset');
  expect((await control('PUT', '/state', document)).status).toBe(204);
  expect((await control('GET', `/cardholders/${cardholder}`)).body.kyc.reasons).toEqual(REASONS);
  expect((await control('GET', '/kyc-sessions')).body[0].reasons).toEqual(REASONS);
});
