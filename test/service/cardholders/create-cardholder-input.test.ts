import { expect, test } from 'vitest';
import { lastRequest } from '../../support/journal.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const PATH = '/partner/cardholders';
const SOURCES = '"web", "idp1", "idp2"';
const E164 = 'must be a phone number in E.164 format, such as +4915123456789';
const EMAIL = 'must be a valid email address';
const COUNTRY = 'must be a two-letter country code (ISO 3166-1) in capitals, such as DE';
const ONE = 'must have at least 1 character';

test.each<[string, unknown, string]>([
  ['externalUserId', undefined, 'is required'],
  ['externalUserId', '', ONE],
  ['externalUserId', 7, 'must be a text'],
  ['email', undefined, 'is required'],
  ['email', null, 'must be a text'],
  ['phoneNumber', undefined, 'is required'],
  ['phoneNumber', null, 'must be a text'],
  ['phoneNumber', '015112345678', E164],
  ['kycSource', undefined, `is required and must be one of ${SOURCES}`],
  ['kycSource', 'api', `must be one of ${SOURCES}`],
  ['kycSource', 'IDP1', `must be one of ${SOURCES}`],
  ['kycSource', null, `must be one of ${SOURCES}`],
  ['idp1ShareToken', undefined, 'is required'],
  ['idp1ShareToken', '', ONE],
  ['idp1ShareToken', ['idp1_test_approve_x'], 'must be a text'],
  ['residenceCountryCode', 'D', COUNTRY],
  ['residenceCountryCode', 'DEU', COUNTRY],
  ['residenceCountryCode', 'ZZ', COUNTRY],
  ['residenceCountryCode', 49, 'must be a text'],
  ['residenceStateProvince', null, 'must be a text; leave it out instead of null'],
  ['residenceCity', 1, 'must be a text'],
  ['residenceAddressDetail', {}, 'must be a text'],
  ['postalCode', 53111, 'must be a text'],
])('%s %j is refused with the field and the rule, and changes nothing', async (field, value, rule) => {
  const sandbox = await startSandbox();
  const good = newCardholder();
  const reply = await sandbox.api('POST', PATH, { ...good, [field]: value });
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual({ success: false, error: `body.${field}: ${rule}` });
  expect(await lastRequest(sandbox)).toMatchObject({ events: [], changes: [] });
  expect((await sandbox.api('POST', PATH, good)).status).toBe(201);
});

test('one response names every invalid field of a body', async () => {
  const { api } = await startSandbox();
  const { body } = await api('POST', PATH, newCardholder({ externalUserId: '', email: 'x', phoneNumber: 1 }));
  expect(body.error).toBe(
    `body.externalUserId: ${ONE}; body.email: ${EMAIL}; body.phoneNumber: must be a text`,
  );
});
