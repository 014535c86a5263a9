import { expect, test } from 'vitest';
import { startInProcess } from '../support/in-process.ts';
import { type Json, newCardholder, startSandbox } from '../support/sandbox.ts';

const LABEL = 'a'.repeat(63);

test.each([
  'name&co@example.com',
  "o'neil@example.com",
  "!#$%&'*+-/=?^_`{|}~.x@example.com",
  'a@b.co',
  'mia@xn--mnchen-3ya.de',
  'mia@example.xn--p1ai',
  'MIA@EXAMPLE.COM',
  '1@2.3',
  `${'a'.repeat(64)}@${LABEL}.${LABEL}.com`,
])('%s is an e-mail address', email => {
  const { api } = startInProcess();
  expect(api('POST', '/partner/cardholders', newCardholder({ email }))).toMatchObject({
    status: 201,
    body: { email },
  });
});

test.each([
  'mia',
  'mia@localhost',
  '@example.com',
  'mia@',
  '.mia@example.com',
  'mia.@example.com',
  'mi..a@example.com',
  'mia@-example.com',
  'mia@example-.com',
  'mia@example..com',
  'mia@example.com.',
  ' mia@example.com',
  'mia@example.com\n',
  'mia lee@example.com',
  'mia@exa_mple.com',
  'mia@münchen.de',
  '"mia"@example.com',
  `mia@${LABEL}a.com`,
  `${'a'.repeat(243)}@example.com`,
])('%j is not an e-mail address', email => {
  const { api } = startInProcess();
  expect(api('POST', '/partner/cardholders', newCardholder({ email }))).toEqual({
    status: 400,
    body: { success: false, error: 'body.email: must be a valid email address' },
  });
});

test.each([
  ['+1', 201],
  ['+123456789012345', 201],
  ['+1234567890123456', 400],
  ['+0123456', 400],
  ['+', 400],
  ['4915123456789', 400],
  ['+49 151 234', 400],
  ['+4915123456789\n', 400],
])('the phone number %j gives %s', (phoneNumber, status) => {
  const { api } = startInProcess();
  expect(api('POST', '/partner/cardholders', newCardholder({ phoneNumber })).status).toBe(status);
});

test('the contract states no pattern for e-mail addresses and phone numbers, and names the assumptions', async () => {
  const { origin } = await startSandbox();
  const document: Json = await (await fetch(`${origin}/openapi.json`)).json();
  const { schemas } = document.components;
  for (const name of ['CreateCardholderFromWeb', 'CreateCardholderFromIdp1', 'CreateCardholderFromIdp2']) {
    const { email, phoneNumber } = schemas[name].properties;
    expect(email).toEqual({
      type: 'string',
      format: 'email',
      description: expect.stringContaining('email-format'),
    });
    expect(phoneNumber).toEqual({ type: 'string', description: expect.stringContaining('phone-format') });
  }
});

const MOMENT = '2026-03-15T10:00:00.000Z';

test.each([
  ['2026-03-15', '2026-03-15T00:00:00.000Z'],
  ['2026-03-15T10:00', MOMENT],
  ['2026-03-15T10:00:00', MOMENT],
  ['2026-03-15T10:00:00Z', MOMENT],
  ['2026-03-15t10:00:00z', MOMENT],
  ['2026-03-15T10:00:00.000000Z', MOMENT],
  ['2026-03-15T11:00:00+01:00', MOMENT],
  ['2026-03-15T11:00:00+0100', MOMENT],
  ['2026-03-15T11:00:00+01', MOMENT],
  ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00.000Z'],
])('the time %s is taken', async (at, now) => {
  const { control } = startInProcess();
  expect(await control('POST', '/clock/freeze', { at })).toMatchObject({ status: 200, body: { now } });
});

test.each([
  ['2026-02-30', '2026-02-30: there is no such day'],
  ['2025-02-29T12:00:00Z', '2025-02-29: there is no such day'],
  ['2026-13-01', '2026-13-01: there is no such day'],
  ['2026-03-15T24:30:00Z', '24:30:00Z: there is no such time'],
  ['2026-03-15T10:60', '10:60: there is no such time'],
  ['20260315T100000Z', 'must be in the extended form of ISO 8601: 2026-03-15T10:00:00Z'],
  ['20260315', 'must be in the extended form of ISO 8601: 2026-03-15'],
  ['20260315T1100+01', 'must be in the extended form of ISO 8601: 2026-03-15T11:00+01'],
  ['20260230', 'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z'],
  ['2026-03-15T11:00:00 01:00', 'encode + as %2B in a query'],
  ['9999-12-31T23:59:59-01:00', 'must be from 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z'],
  ['tomorrow', 'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z'],
])('the time %s is refused with what is wrong', async (at, rule) => {
  const { control, api } = startInProcess();
  expect(await control('POST', '/clock/freeze', { at })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^body\.at: /) },
  });
  const { body } = api('GET', `/partner/transactions?from=${encodeURIComponent(at)}`);
  expect(body.error).toContain(rule);
});

test('a time with a space instead of T is not taken for one whose zone has lost its plus sign', () => {
  const { body } = startInProcess().api('GET', '/partner/transactions?from=2026-03-15%2011:00');
  expect(body.error).toMatch(/without a zone it is UTC$/);
});

test('a bound that is finer than a millisecond leaves out what is before it', () => {
  const { api } = startInProcess({ fixtures: ['starter'], clock: '2026-03-15T10:00:00Z' });
  const { data } = api('GET', '/partner/transactions?limit=1').body;
  const at: string = data[0].createdAt;
  const totalFrom = (from: string) => api('GET', `/partner/transactions?from=${from}`).body.total;
  expect(totalFrom(at)).toBeGreaterThan(0);
  expect(totalFrom(at.replace('Z', '0000Z'))).toBe(totalFrom(at));
  expect(totalFrom(at.replace('Z', '0001Z'))).toBeLessThan(totalFrom(at));
});

test.each(['null', '""', ' null ', ''])('an operation without a body takes %j for one', async body => {
  const { api } = await startSandbox({ fixtures: ['starter'] });
  expect((await api('POST', '/partner/cards/card_mia_active/freeze', body)).status).toBe(200);
});

test.each(['0', '[]', '"x"', 'false', 'nul'])('an operation without a body refuses %s', async body => {
  const { api } = await startSandbox({ fixtures: ['starter'] });
  expect((await api('POST', '/partner/cards/card_mia_active/freeze', body)).status).toBe(400);
});

test('an operation with a body refuses null in the place of the body', async () => {
  const { api } = await startSandbox();
  expect(await api('POST', '/partner/kyc-sessions', 'null')).toMatchObject({
    status: 400,
    body: { error: 'body: must be a JSON object' },
  });
});

test('null is refused with the way out for a member that can be left out, and with the rule for another', async () => {
  const { api, control } = await startSandbox();
  const errorOf = async (body: unknown) => (await api('POST', '/partner/cardholders', body)).body.error;
  expect(await errorOf(newCardholder({ residenceCity: null, postalCode: null }))).toBe(
    'body.residenceCity: must be a text; leave it out instead of null; body.postalCode: must be a text; leave it out instead of null',
  );
  expect(await errorOf(newCardholder({ externalUserId: null }))).toBe('body.externalUserId: must be a text');
  expect(await errorOf({ ...newCardholder(), kycSource: null })).toMatch(
    /^body\.kycSource: must be one of [^;]*$/,
  );
  const nested = await control('POST', '/share-tokens', { identity: { firstName: null }, outcome: null });
  expect(nested.body.error).toMatch(/body\.outcome: must be one of .*; leave it out instead of null/);
  expect(nested.body.error).toMatch(
    /body\.identity\.firstName: must be a text; leave it out instead of null/,
  );
});
