import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../src/sandbox/log-entries.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
/** Reads the body and then refuses the request, so that the journal has any body. */
const ANY_BODY = '/partner/cards/nothing/freeze';

async function journalOf(method: string, path: string, body?: unknown) {
  const log: RequestLogEntry[] = [];
  const { api, control } = await startSandbox({}, { onResponse: entry => log.push(entry) });
  await api(method, path, body);
  const { body: entries } = await control('GET', '/requests');
  return { entry: entries[0], text: JSON.stringify({ entries, log }) };
}

test.each([
  'webhookSecret',
  'secret',
  'idp1ShareToken',
  'access_token',
  'tokens',
  'password',
  'apiKey',
  'api_key',
  'x-service-api-key',
  'APIKEY',
  'clientsecret',
  'accesstoken',
  'newpassword',
  'SECRETKEY',
  'otp',
  'oneTimeOTP',
  'pin',
  'cvv',
  'CVC',
  'pan',
  'cardNumber',
  'card_number',
  'Authorization',
])('the value of %s is masked, whatever its type, and the body stays JSON', async name => {
  const body = { [name]: 'hidden-value', inner: [{ [name]: 98_765 }, { [name]: { deep: 'hidden-value' } }] };
  const { entry, text } = await journalOf('POST', ANY_BODY, body);
  expect(JSON.parse(entry.request.body)).toEqual({
    [name]: '***',
    inner: [{ [name]: '***' }, { [name]: '***' }],
  });
  expect(text).not.toMatch(/hidden-value|(?<![\d.])98765(?!\d)/);
});

test('names that only resemble a secret, and numbers that only resemble a card, are not masked', async () => {
  const body = {
    monkey: 'banana',
    pinned: true,
    company: 'Panama',
    spinner: 1,
    number: '4242424242424241',
    short: '424242424242',
    long: '42424242424242424242',
    amount: 12.5,
    nothing: null,
    secret: null,
  };
  const { entry } = await journalOf('POST', ANY_BODY, body);
  expect(JSON.parse(entry.request.body)).toEqual(body);
});

test.each([
  ['a card number in a sentence', 'card 4242424242424242 please', 'card *** please'],
  ['a card number of 19 digits', '6304000000000000000', '***'],
  ['a key', `it was ${ACME_KEY}.`, 'it was ***.'],
  ['a bearer token', 'Bearer abc.def-ghi_jkl~+/=', '***'],
  ['a JSON Web Token', `<${JWT}>`, '<***>'],
])('%s is masked in every position', async (_what, text, masked) => {
  const { entry } = await journalOf('POST', ANY_BODY, { note: text, [text]: [text] });
  expect(JSON.parse(entry.request.body)).toEqual({ note: masked, [masked]: [masked] });
  expect(JSON.stringify(entry.hints)).not.toContain(text);
});

test('a card number that is a JSON number is masked', async () => {
  const { entry } = await journalOf('POST', ANY_BODY, '{"number":4242424242424242}');
  expect(JSON.parse(entry.request.body)).toEqual({ number: '***' });
});

test('a number that is not exact is masked, since its check digit is lost', async () => {
  const { entry } = await journalOf('POST', ANY_BODY, '{"number":6304000000000000000}');
  expect(JSON.parse(entry.request.body)).toEqual({ number: '***' });
});

test('a secret in a form body is masked, and the other pairs are kept', async () => {
  const { entry } = await journalOf(
    'POST',
    ANY_BODY,
    'page=1&access_token=hidden-value; pin=98765 card[number]=42',
  );
  expect(entry.request.body).toBe('page=1&access_token=***; pin=*** card[number]=***');
});

test('secrets in a path, a query and the message of a refusal are masked', async () => {
  const query = `apiKey=hidden-value&note=4242424242424242&jwt=${JWT}&page=1`;
  const { entry, text } = await journalOf('GET', `/partner/cards/${ACME_KEY}?${query}`);
  expect(entry).toMatchObject({
    path: '/v1/partner/cards/***',
    query: 'apiKey=***&note=***&jwt=***&page=1',
    refusal: 'no card with id "***"',
  });
  expect(text).not.toMatch(/hidden-value|4242424242424242|eyJ|sk_test_acme/);
});

test('secrets in a response are masked in the journal, not in the response', async () => {
  const { api, control } = await startSandbox();
  const config = { webhookUrl: 'https://hooks.example/', webhookSecret: 'a-secret-of-16-characters' };
  const { body } = await api('PATCH', '/partner/webhooks/config', config);
  expect(body.webhookSecret).toBe('a-secret-of-16-characters');
  const { body: entries } = await control('GET', '/requests');
  expect(JSON.parse(entries[0].response.body)).toEqual({ ...body, webhookSecret: '***' });
  expect(JSON.stringify(entries)).not.toContain('a-secret-of-16-characters');
});

const PADDING = `"padding":"${'y'.repeat(20_000)}"}`;

test.each([
  ['text', '"webhookSecret":"hidden-value"'],
  ['text with escapes', '"webhookSecret":"a\\"hidden-value"'],
  ['number', '"otp":98765'],
  ['number after a space', '"pin" : 98765'],
  ['object', '"token":{"value":"hidden-value"}'],
  ['list', '"pan":["hidden-value"]'],
])('a secret %s is masked in a body that is not JSON or is cut off', async (_kind, member) => {
  for (const body of [`{${member},`, `{${member},${PADDING}`]) {
    const { entry, text } = await journalOf('POST', '/partner/cards', body);
    expect(entry.request.body.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/hidden-value|(?<![\d.])98765(?!\d)/);
  }
});

test('a card number at the cut of a body is not shown in part', async () => {
  for (let before = 16_360; before < 16_384; before++) {
    const { entry } = await journalOf('POST', ANY_BODY, `{"x":"${'y'.repeat(before - 6)}4242424242424242"}`);
    expect(entry.request.body).not.toMatch(/42/);
  }
});
