import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../src/sandbox/log-entries.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { manualTime } from '../../support/manual-time.ts';
import { START, startSandbox } from '../../support/sandbox.ts';

/** Reads the body and then refuses the request, so that the journal has any body. */
const ANY_BODY = '/partner/cards/nothing/freeze';
const PADDING = `"padding":"${'y'.repeat(20_000)}"}`;

/** A live key with some of its characters as JSON escapes, once or in JSON within a string. */
const ESCAPED_KEYS = [
  'sk\\u005flive_hidden',
  '\\u0073k_live_hidden',
  'sk\\u005Flive\\u005fhid\\u0064en',
  'sk\\\\u005flive_hidden',
  'sk%5Flive_hidden',
];

async function journalOf(method: string, path: string, body?: unknown) {
  const log: RequestLogEntry[] = [];
  // A fixed wall time, because headers of the response have it and its digits could be those of a secret.
  const { realTime } = manualTime(Date.parse(START));
  const { api, control } = await startSandbox({}, { realTime, onResponse: entry => log.push(entry) });
  await api(method, path, body);
  const { body: entries } = await control('GET', '/requests');
  return { entry: entries[0], text: JSON.stringify({ entries, log }) };
}

test.each(ESCAPED_KEYS)('the live key %s is not stored, in a body of any size or kind', async key => {
  const whole = `{"note":"it is ${key} here","x":1}`;
  const bodies = [whole, `{"note":"${key}",${PADDING}`, `{"x":"${'y'.repeat(16_350)}${key}"}`, `{${whole}`];
  for (const body of bodies) {
    const { text } = await journalOf('POST', ANY_BODY, body);
    expect(text).not.toMatch(/hidden|hid\\+u0064en|live_/);
  }
  const { entry } = await journalOf('POST', ANY_BODY, whole);
  expect(JSON.parse(entry.request.body)).toEqual({ note: 'it is *** here', x: 1 });
});

test('a live key is not in the stream, nor in what the journal keeps of headers and paths', async () => {
  const log: RequestLogEntry[] = [];
  const hooks = { onResponse: (entry: RequestLogEntry) => log.push(entry) };
  const sandbox = await startSandbox({}, hooks, { trustProxy: true });
  const stream = await openEventStream(sandbox.origin, '?kinds=request');
  const hidden = 'sk_live_hidden';
  const headers = {
    'x-forwarded-for': hidden,
    'content-type': `text/${hidden}`,
    origin: `https://${hidden}.test`,
    'x-sandbox-fault': hidden,
    'user-agent': hidden,
  };
  await sandbox.api(
    'POST',
    `/partner/cards/sk%5Flive_hidden/freeze?a=${hidden}`,
    '{"a":"sk\\u005flive_hidden"}',
    headers,
  );
  await sandbox.api('POST', `/partner/cards/none/freeze`, '{"a":"sk\\u005flive_hidden"}');
  const { body: entries } = await sandbox.control('GET', '/requests');
  const messages = await stream.next(2);
  expect(entries[1].request.remoteAddress).toBe('***');
  expect(JSON.stringify({ entries, log, messages })).not.toMatch(/hidden|live_/);
});

test.each([
  ['spaces', '4242 4242 4242 4242'],
  ['dashes', '4242-4242-4242-4242'],
  ['no-break spaces', '4242\u00a04242\u00a04242\u00a04242'],
  ['groups of 4, 6 and 5', '3782 822463 10005'],
  ['a space after each digit', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2'],
  ['19 digits', '6304 0000 0000 0000 000'],
])('a card number with %s is masked', async (_what, number) => {
  const body = { note: `card ${number}, thanks`, [number]: 1 };
  const { entry } = await journalOf('POST', `${ANY_BODY}?note=${encodeURIComponent(number)}`, body);
  expect(JSON.parse(entry.request.body)).toEqual({ note: 'card ***, thanks', '***': 1 });
  expect(entry.query).toBe('note=***');
});

test('a card number is masked whatever numbers stand beside it', async () => {
  const note = 'exp 12-2027 4242 4242 4242 4242 123';
  const { entry } = await journalOf('POST', ANY_BODY, { note });
  expect(entry.request.body).not.toMatch(/4242/);
});

test('a card number in a path or a form is masked, encoded or not', async () => {
  const { entry, text } = await journalOf('GET', '/partner/cards/%34242%204242-4242-4242');
  expect(entry.path).toBe('/v1/partner/cards/***');
  const form = await journalOf('POST', ANY_BODY, 'note=4242+4242+4242+4242&number=4242-4242-4242-4242');
  // A port can have the digits 4242.
  expect(text + form.text).not.toMatch(/4242\D{1,3}4242/);
  expect(form.entry.request.body).not.toMatch(/4242/);
});

test.each([
  ['two separators in a row', '4242  4242  4242  4242'],
  ['a wrong check digit', '4242 4242 4242 4241'],
  ['too few digits', '4242 4242 4242'],
  ['dates', '2026-03-15T10:00:00.000Z'],
])('digits with %s are shown', async (_what, note) => {
  const { entry } = await journalOf('POST', ANY_BODY, { note });
  expect(JSON.parse(entry.request.body)).toEqual({ note });
});

test.each([
  ...['one_time_password', 'oneTimeCode', 'passcode', 'passCode', 'pass_code', 'otpCode', 'otpcode', 'totp'],
  ...['cvc2', 'cvv2', 'CVV2', 'cvvCode', 'csc', 'securityCode', 'card_security_code', 'security-code'],
  ...['card_verification', 'cardVerificationValue', 'verification_code', 'pinCode', 'smsCode', 'passwd'],
  ...['cardNo', 'card_num', 'primaryAccountNumber'],
])('the value of %s, another usual name, is masked', async name => {
  const { text } = await journalOf('POST', ANY_BODY, { [name]: '123456', inner: { [name]: 98_765 } });
  const cut = await journalOf('POST', ANY_BODY, `{"${name}":"123456",${PADDING}`);
  expect(text + cut.text).not.toMatch(/(?<![\d.])(?:123456|98765)(?!\d)/);
});

test('names of the interface that resemble those are shown', async () => {
  const body = {
    code: 'x',
    countryCode: 'DE',
    kyc_verification: 1,
    verified: true,
    passed: 'y',
    postalCode: '1',
  };
  const { entry } = await journalOf('POST', ANY_BODY, body);
  expect(JSON.parse(entry.request.body)).toEqual(body);
});

test.each([
  ['spaces', '4242 4242 4242 4242'],
  ['escapes', '\\u0034242\\u0034242\\u0034242\\u0034242'],
])('a card number with %s at the cut of a body is not shown in part', async (_what, number) => {
  const { api, control } = await startSandbox();
  for (let before = 16_320; before < 16_384; before++) {
    await api('POST', ANY_BODY, `{"x":"${'y'.repeat(before - 6)}${number}"}`);
    const { body: entries } = await control('GET', '/requests?limit=1');
    expect(entries[0].request.body).not.toMatch(/42|u003\d/);
  }
});

test('a secret under an escaped name is masked in a body that was cut', async () => {
  const { text } = await journalOf('POST', ANY_BODY, `{"\\u006ftp":"123456",${PADDING}`);
  expect(text).not.toMatch(/(?<![\d.])123456(?!\d)/);
});

test('a card number at the end of a shortened value is not shown in part', async () => {
  const id = `${'x'.repeat(190)}4242424242424242`;
  const { entry } = await journalOf('GET', `/partner/cards/${id}`);
  expect(entry.refusal).toContain('x***…');
  expect(entry.refusal).not.toMatch(/42/);
});
