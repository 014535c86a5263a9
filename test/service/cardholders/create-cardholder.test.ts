import { expect, test } from 'vitest';
import { lastRequest } from '../../support/journal.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cardholders';

test('a create returns exactly the ten fields, with the identity of the share token', async () => {
  const { api, control } = await startSandbox();
  const identity = { firstName: 'Mia', lastName: 'Wong', residenceCity: 'Bonn' };
  const minted = await control('POST', '/share-tokens', { identity });
  const body = newCardholder({ idp1ShareToken: minted.body.token });
  const reply = await api('POST', PATH, body);
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.stringMatching(/^ch_\w+$/),
    externalUserId: body.externalUserId,
    firstName: 'Mia',
    lastName: 'Wong',
    email: body.email,
    phoneNumber: body.phoneNumber,
    kycSource: 'idp1',
    kycStatus: 'pending',
    status: 'active',
    createdAt: START,
  });
});

test('the idp2 variant reads idp2ShareToken', async () => {
  const { api } = await startSandbox();
  const body = newCardholder({ kycSource: 'idp2', idp2ShareToken: 'idp2_test_approve_1' });
  const missing = await api('POST', PATH, { ...body, idp2ShareToken: undefined });
  expect(missing).toMatchObject({ status: 400, body: { error: 'body.idp2ShareToken: is required' } });
  const reply = await api('POST', PATH, body);
  expect(reply).toMatchObject({ status: 201, body: { kycSource: 'idp2', kycStatus: 'pending' } });
});

test('address fields of the body overwrite those of the snapshot; only the control plane shows them', async () => {
  const { api, control } = await startSandbox();
  const snapshot = {
    residenceCountryCode: 'FR',
    residenceStateProvince: 'Alsace',
    residenceCity: 'Colmar',
    residenceAddressDetail: 'Rue 1',
    postalCode: '68000',
  };
  const minted = await control('POST', '/share-tokens', { identity: snapshot });
  const body = newCardholder({
    idp1ShareToken: minted.body.token,
    residenceCity: 'Bonn',
    postalCode: '53111',
  });
  const created = await api('POST', PATH, body);
  expect(Object.keys(created.body)).toHaveLength(10);
  const shown = await control('GET', `/cardholders/${created.body.id}`);
  expect(shown.body).toEqual({
    ...created.body,
    partnerId: 'partner_acme',
    address: { ...snapshot, residenceCity: 'Bonn', postalCode: '53111' },
    kyc: {
      state: 'not_submitted',
      outcome: 'approve',
      cardProgramId: null,
      submittedAt: null,
      decidedAt: null,
    },
    lockReason: null,
  });
});

test('an e-mail address of another cardholder is refused in any case, and the token stays unused', async () => {
  const sandbox = await startSandbox();
  const first = await sandbox.api('POST', PATH, newCardholder({ email: 'Mia@Example.com' }));
  const second = newCardholder({ email: 'mIA@eXAMPLE.COM' });
  const refused = await sandbox.api('POST', PATH, second);
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual({
    success: false,
    error: {
      code: 'EMAIL_ALREADY_REGISTERED',
      message: expect.stringContaining(first.body.id),
      existingCardholderId: first.body.id,
    },
  });
  expect(await lastRequest(sandbox)).toMatchObject({ events: [], changes: [] });
  const accepted = await sandbox.api('POST', PATH, { ...second, email: 'other@example.com' });
  expect(accepted.status).toBe(201);
});

test('the e-mail address of a closed cardholder stays in use', async () => {
  const { api, control } = await startSandbox();
  const body = newCardholder();
  const { id } = (await api('POST', PATH, body)).body;
  await control('POST', `/cardholders/${id}/status`, { status: 'closed' });
  const reply = await api('POST', PATH, newCardholder({ email: body.email }));
  expect(reply).toMatchObject({ status: 409, body: { error: { existingCardholderId: id } } });
});

test('external ids and e-mail addresses are unique per partner', async () => {
  const { api, globex } = await startSandbox();
  const body = newCardholder();
  const acme = await api('POST', PATH, body);
  const other = await globex('POST', PATH, body);
  expect(other.status).toBe(201);
  expect(other.body.id).not.toBe(acme.body.id);
});

test('a create emits cardholder.created once, and hints at a field that its variant does not have', async () => {
  const sandbox = await startSandbox();
  const { body } = await sandbox.api('POST', PATH, newCardholder({ phonenumber: '+1' }));
  expect(await lastRequest(sandbox)).toEqual({
    events: [`cardholder.created ${body.id}`],
    changes: ['created cardholder', 'created share token'],
    hints: ['body.phonenumber is unknown and was ignored, did you mean "phoneNumber"?'],
  });
});

test('a field of another variant is not suggested as a correction', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('POST', PATH, newCardholder({ kycSessionId: 'kycs_1' }));
  const { hints } = await lastRequest(sandbox);
  expect(hints).toHaveLength(1);
  expect(hints[0]).toContain('body.kycSessionId is unknown and was ignored');
  expect(hints[0]).not.toContain('did you mean "kycSessionId"');
});
