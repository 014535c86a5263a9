import { expect, test } from 'vitest';
import { startHere, startPrettyHere } from '../../support/cli-in-process.ts';
import { ACME_KEY } from '../../support/sandbox.ts';

const KEY = { 'x-service-api-key': ACME_KEY };
const LIVE_KEY = 'sk_live_0123456789abcdef';

/** Starts a sandbox with a log in this format, and returns what sends it requests. */
async function logging(format: string) {
  const { origin, ...running } =
    format === 'pretty'
      ? await startPrettyHere()
      : await startHere().then(({ listening, ...rest }) => ({ ...rest, origin: listening.url }));
  const ask = (method: string, path: string, body: unknown = undefined, headers = {}) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { ...KEY, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
  return { ...running, ask };
}

test('a request is one line, with the refusal and each hint on lines below', async () => {
  const { origin, printed } = await startPrettyHere();
  await fetch(`${origin}/v1/partner/cards?statuss=active`, { headers: KEY });
  await fetch(`${origin}/v1/partner/cards?page=0`, { headers: KEY });
  await fetch(`${origin}/_sandbox/info`);
  await fetch(`${origin}/v1/partner/cards`, { method: 'OPTIONS' });
  const [log] = await printed(/200 GET [\s\S]*204 OPTIONS.*\n/);
  expect(log.replaceAll(/\d+\.\d ms/g, '# ms').split('\n')).toEqual([
    '200 GET     /v1/partner/cards?statuss=active # ms',
    '    hint: query.statuss is unknown and was ignored, did you mean "status"?',
    '400 GET     /v1/partner/cards?page=0 # ms',
    '    query.page: must be a whole number from 1 up [assumption invalid-input]',
    '204 OPTIONS /v1/partner/cards # ms',
    '',
  ]);
});

test('long paths are truncated and only the first hints are shown', async () => {
  const { origin, printed } = await startPrettyHere();
  const query = Array.from({ length: 60 }, (_, index) => `unknown${index}=1`).join('&');
  await fetch(`${origin}/v1/partner/cards?${query}`, { headers: KEY });
  const [log] = await printed(/200 GET [\s\S]*lists them\n/);
  const [head = '', ...hints] = log.trimEnd().split('\n');
  expect(head).toMatch(/^200 GET {5}\/v1\/partner\/cards\?unknown0=1&.{250,300}… \d+\.\d ms$/);
  expect(hints).toHaveLength(6);
  expect(hints.at(-1)).toMatch(/^ {4}… and more; GET \/_sandbox\/requests\/req_\w+ lists them$/);
});

test('the long URL of a webhook is truncated', async () => {
  const url = `http://127.0.0.1:9/${'x'.repeat(400)}`;
  const { origin, printed } = await startPrettyHere(['--forward-to', url]);
  await fetch(`${origin}/_sandbox/balance/top-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"amount":1}',
  });
  const [line] = await printed(/^--- webhook .*\n/m);
  expect(line).toMatch(/ -> http:\/\/127\.0\.0\.1:9\/x{200,300}… /);
});

test.each(['pretty', 'json'])('control characters of requests are escaped in a %s log', async format => {
  const { ask, printed, stdout } = await logging(format);
  await ask('GET', '/v1/partner/cards?%1b%5b31m=1&%c2%9b31m=2');
  await ask('PATCH', '/v1/partner/webhooks/config', { 'b\nforged': 1, 'c\u202e': 2, 'd\u007f': 3 });
  await printed(/body\.d.*\n/);
  const log = stdout();
  expect(log).toContain('query.\\u001b[31m is unknown');
  expect(log).toContain('query.\\u009b31m is unknown');
  expect(log).toContain('body.c\\u202e is unknown');
  expect(log).toContain('body.d\\u007f is unknown');
  expect(log).not.toMatch(/^forged/m);
  expect(log).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
  if (format === 'pretty') return;
  const [, , last = ''] = log.split('\n');
  expect(JSON.parse(last).hints).toContain('body.b\nforged is unknown and was ignored');
});

test.each(['pretty', 'json'])('keys and secrets of requests are masked in a %s log', async format => {
  const { ask, stop, stdout, stderr } = await logging(format);
  const start = stdout().length;
  await ask('GET', '/v1/partner/cards', undefined, { 'x-service-api-key': LIVE_KEY });
  await ask('GET', `/v1/partner/cards/${LIVE_KEY}?apiKey=${LIVE_KEY}&token=hush-hush`);
  const secrets = { webhookSecret: 'a-secret-of-some-length', [LIVE_KEY]: 1, [ACME_KEY]: 2 };
  await ask('PATCH', '/v1/partner/webhooks/config', secrets);
  await ask('GET', '/v1/partner/webhooks/config');
  await stop();
  const log = stdout().slice(start) + stderr();
  expect(log.match(/webhooks\/config/g)).toHaveLength(2);
  expect(log).toContain('body.*** is unknown');
  expect(log).not.toMatch(/sk_(live|test)_\w|hush|a-secret-of/);
});

test('the line of a request names the injected fault', async () => {
  const { origin, printed } = await startPrettyHere();
  const ask = (fault: string) =>
    fetch(`${origin}/v1/partner/cards`, { headers: { ...KEY, 'x-sandbox-fault': fault } });
  await ask('status=503');
  await ask('drop').catch(() => undefined);
  const [log] = await printed(/503 GET [\s\S]*dropped[\s\S]*hint.*\n/);
  expect(log.replaceAll(/\d+\.\d ms/g, '# ms').split('\n')).toEqual([
    '503 GET     /v1/partner/cards # ms fault header',
    '    503 Service Unavailable, forced by header X-Sandbox-Fault [assumption faults]',
    '    hint: header X-Sandbox-Fault: the response was 503, and the request was not handled',
    '503 GET     /v1/partner/cards # ms fault header, dropped',
    '    the connection was closed without a response by header X-Sandbox-Fault [assumption faults]',
    '    hint: header X-Sandbox-Fault: the connection was closed, and the request was not handled',
    '',
  ]);
});
