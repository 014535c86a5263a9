import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../src/sandbox/log-entries.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { manualTime } from '../../support/manual-time.ts';
import { ACME_KEY, START, startSandbox } from '../../support/sandbox.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
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
  ['nothing between its digits', '4242424242424242'],
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

test('a card number at the end of a shortened value is not shown in part', async () => {
  const id = `${'x'.repeat(190)}4242424242424242`;
  const { entry } = await journalOf('GET', `/partner/cards/${id}`);
  expect(entry.refusal).toContain('x***…');
  expect(entry.refusal).not.toMatch(/42/);
});
