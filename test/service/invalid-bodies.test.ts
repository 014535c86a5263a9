import { expect, test } from 'vitest';
import { operations } from '../../src/sandbox/operations.ts';
import { validInputs } from '../../src/sandbox/valid-inputs.ts';
import { startInProcess } from '../support/in-process.ts';

const SOURCES = '"web", "idp1", "idp2"';
const COUNTRY = 'must be a two-letter country code (ISO 3166-1) in capitals, such as DE';
const ONE = 'must have at least 1 character';
const AMOUNT = 'must be an amount from 0 to 1000000000000 with at most two decimals';
const URL = 'must be an absolute http:// or https:// URL';
const WEBHOOK_URL = expect.stringMatching(/^must (?:be an absolute https:\/\/ URL|use https:\/\/)/);
const CREDENTIALS = expect.stringMatching(/^must not hold a user name or password/);

/** By operation: the member of a valid body that is replaced, its value, and the rule that it breaks. */
const REFUSED: Readonly<
  Record<string, readonly (readonly [member: string, value: unknown, rule: string])[]>
> = {
  'cardholders.create': [
    ['externalUserId', undefined, 'is required'],
    ['externalUserId', '', ONE],
    ['externalUserId', 7, 'must be a text'],
    ['email', undefined, 'is required'],
    ['email', null, 'must be a text'],
    ['phoneNumber', undefined, 'is required'],
    ['phoneNumber', null, 'must be a text'],
    ['phoneNumber', '015112345678', 'must be a phone number in E.164 format, such as +4915123456789'],
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
  ],
  'cardholders.initiateKyc': [
    ['cardProgramId', undefined, 'is required'],
    ['cardProgramId', '', ONE],
    ['cardProgramId', 5, 'must be a text'],
  ],
  'kycSessions.create': [
    ['externalUserId', '', ONE],
    ['externalUserId', 1, 'must be a text'],
    ['redirectUrl', '/done', URL],
    ['redirectUrl', 'javascript:0', URL],
  ],
  'cards.issue': [
    ['cardholderId', undefined, 'is required'],
    ['cardholderId', '', ONE],
    ['cardProgramId', undefined, 'is required'],
    ['cardProgramId', 1, 'must be a text'],
    ['type', 'metal', 'must be one of "virtual", "physical"'],
    ['nameOnCard', '', ONE],
    ['nameOnCard', null, 'must be a text; leave it out instead of null'],
    ['limit', '100', 'must be a number'],
    ['limit', null, 'must be a number; leave it out instead of null'],
    ['limit', -1, AMOUNT],
    ['limit', 1.005, AMOUNT],
    ['limit', 0.001, AMOUNT],
    ['limit', 1e-7, AMOUNT],
    ['limit', 1_000_000_000_001, AMOUNT],
    ['limit', 1e300, AMOUNT],
    ['spendControl', [], 'must be an object'],
    ['spendControl.sales', 5, 'must be an object'],
    ['spendControl.sales.daily', 1.234, AMOUNT],
    ['spendControl.cash.monthly', -0.01, AMOUNT],
    ['spendControl.cash.allTime', 'x', 'must be a number'],
  ],
  'cards.reveal': [
    ['stylesheetUrl', '/style.css', URL],
    ['stylesheetUrl', 'javascript:0', URL],
    ['stylesheetUrl', 'data:text/css,', URL],
    ['stylesheetUrl', null, 'must be a text; leave it out instead of null'],
    ['copyPan', 'true', 'must be true or false'],
  ],
  'webhooks.updateConfig': [
    ['webhookUrl', 'http://hooks.example.com', WEBHOOK_URL],
    ['webhookUrl', 'ftp://hooks.example.com', WEBHOOK_URL],
    ['webhookUrl', 'hooks.example.com', WEBHOOK_URL],
    ['webhookUrl', '/events', WEBHOOK_URL],
    ['webhookUrl', '', WEBHOOK_URL],
    ['webhookUrl', 'https://', WEBHOOK_URL],
    ['webhookUrl', 'https:hooks.example.com', WEBHOOK_URL],
    ['webhookUrl', ' https://hooks.example.com', WEBHOOK_URL],
    ['webhookUrl', 'https://hooks.example.com/a\nb', WEBHOOK_URL],
    ['webhookUrl', 'https://user:pass@hooks.example.com', CREDENTIALS],
    ['webhookUrl', 'https://user@hooks.example.com', CREDENTIALS],
    ['webhookUrl', 'https://:pass@hooks.example.com', CREDENTIALS],
    ['webhookUrl', 1, 'must be a text'],
    ['webhookSecret', 'fifteen-letters', 'must have at least 16 characters'],
    ['webhookSecret', '', 'must have at least 16 characters'],
    ['webhookSecret', null, 'must be a text; leave it out instead of null'],
    ['subscribedEvents.1', 'card.lost', expect.stringMatching(/^must be one of /)],
    ['subscribedEvents', 'card.issued', 'must be a list'],
    ['subscribedEvents', null, 'must be a list; leave it out instead of null'],
  ],
};

/** Returns a body with another value at a path of members. */
function withMember(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const object: Readonly<Record<string, unknown>> = Object(body ?? {});
  const changed = rest.length === 0 ? value : withMember(object[name], rest, value);
  return Array.isArray(body) ? body.with(Number(name), changed) : { ...object, [name]: changed };
}

test.each(Object.entries(REFUSED).flatMap(([id, refused]) => refused.map(each => [id, ...each] as const)))(
  '%s with %s %j is refused with the rule, and changes nothing',
  async (id, member, value, rule) => {
    const { api, control } = startInProcess({ fixtures: ['starter'] });
    const { method = '', path = '' } = operations.find(each => each.id === id) ?? {};
    const [{ params = {}, body } = {}] = validInputs(id);
    const changed = withMember(body, member.split('.'), value);
    const reply = api(method, path.replace('{id}', params.id ?? ''), changed);
    const [name, error] = reply.body.error.split(/: (.*)/s);
    expect({ status: reply.status, name, error }).toEqual({
      status: 400,
      name: `body.${member}`,
      error: rule,
    });
    const [entry] = (await control('GET', '/requests?limit=1')).body;
    expect(entry).toMatchObject({ changes: [], events: [] });
  },
);

test.each([
  [undefined, 'is required'],
  ['', ONE],
  [1, 'must be a text'],
])('the kycSessionId %j of a cardholder is refused', (kycSessionId, rule) => {
  const [{ body } = {}] = validInputs('cardholders.create');
  const { api } = startInProcess();
  expect(api('POST', '/partner/cardholders', { ...body, kycSource: 'web', kycSessionId })).toEqual({
    status: 400,
    body: { success: false, error: `body.kycSessionId: ${rule}` },
  });
});

test('one response names every invalid field of a body', () => {
  const [{ body } = {}] = validInputs('cardholders.create');
  const invalid = { ...body, externalUserId: '', email: 'x', phoneNumber: 1 };
  const rules = `body.externalUserId: ${ONE}; body.email: must be a valid email address; body.phoneNumber: must be a text`;
  expect(startInProcess().api('POST', '/partner/cardholders', invalid).body.error).toBe(rules);
});
