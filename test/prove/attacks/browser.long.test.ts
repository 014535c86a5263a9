import { expect, test } from 'vitest';
import { type RawResponse, responseTo } from '../../server/http/raw.ts';
import { recordResult } from '../../support/proof/proof-size.ts';
import { ACME_KEY, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const FOREIGN_ORIGINS = [
  'https://evil.example',
  'http://evil.example:4242',
  'null',
  'http://127.0.0.1.evil.example',
];

/** Sends a request with exactly these header lines. */
function send(
  { origin }: TestSandbox,
  target: string,
  lines: readonly string[],
  body = '',
): Promise<RawResponse> {
  const length = Buffer.byteLength(body);
  const head = [`${target} HTTP/1.1`, ...lines, 'Connection: close', `Content-Length: ${length}`, '', ''];
  return responseTo(origin, head.join('\r\n') + body);
}

const stateOf = async ({ control }: TestSandbox) => (await control('GET', '/state')).body;

/** The content types that a page can send without a preflight. */
const SIMPLE_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'];
const WRITES: readonly [string, string][] = [
  ['/_sandbox/reset', ''],
  ['/_sandbox/clock/advance', '{"duration": "90d"}'],
  ['/_sandbox/share-tokens', '{}'],
  ['/_sandbox/partners', '{}'],
  ['/_sandbox/partners/partner_acme/keys/rotate', '{}'],
  ['/_sandbox/events', '{"eventType": "card.issued"}'],
  ['/_sandbox/checkpoints/evil', ''],
];

test('CSRF: no form, fetch or link of another site drives the control plane', async context => {
  const sandbox = await startSandbox({ fixtures: ['starter'], rateLimit: 0 });
  const host = `Host: ${new URL(sandbox.origin).host}`;
  const before = await stateOf(sandbox);
  const refusals: number[] = [];
  for (const [path, body] of WRITES) {
    for (const type of [...SIMPLE_TYPES, 'application/json']) {
      const typed = [host, `Content-Type: ${type}`];
      const attempts = [
        ...FOREIGN_ORIGINS.map(origin => [...typed, `Origin: ${origin}`]),
        [...typed, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'],
        [...typed, 'Origin: https://evil.example', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'],
      ];
      for (const lines of attempts) refusals.push((await send(sandbox, `POST ${path}`, lines, body)).status);
    }
  }
  for (const path of ['info', 'state', 'stream', 'requests', 'clock']) {
    for (const mode of ['no-cors', 'navigate', 'cors']) {
      const lines = [host, 'Sec-Fetch-Site: cross-site', `Sec-Fetch-Mode: ${mode}`];
      refusals.push((await send(sandbox, `GET /_sandbox/${path}`, lines)).status);
    }
  }
  expect(new Set(refusals)).toEqual(new Set([403]));
  expect(await stateOf(sandbox)).toEqual(before);
  recordResult(context, `${refusals.length} requests, ${refusals.length} responses with 403`);
});

test('CSRF: no web page redirects the webhooks of a partner whose key is public', async context => {
  const sandbox = await startSandbox({ fixtures: ['starter'], rateLimit: 0 });
  const path = '/partner/webhooks/config';
  const host = `Host: ${new URL(sandbox.origin).host}`;
  const body = JSON.stringify({
    webhookUrl: 'https://evil.example/',
    webhookSecret: 'known-to-the-attacker',
    subscribedEvents: ['card.issued'],
  });
  const before = (await sandbox.api('GET', path)).body;
  const key = `x-service-api-key: ${ACME_KEY}`;
  let refused = 0;
  for (const origin of FOREIGN_ORIGINS) {
    const lines = [host, key, 'Content-Type: application/json', `Origin: ${origin}`];
    const { status, text } = await send(sandbox, `PATCH /v1${path}`, lines, body);
    expect([origin, status, JSON.parse(text).success]).toEqual([origin, 400, false]);
    refused += 1;
  }
  for (const type of SIMPLE_TYPES) {
    const { status } = await send(sandbox, `PATCH /v1${path}`, [host, key, `Content-Type: ${type}`], body);
    expect([type, status]).toEqual([type, 400]);
    refused += 1;
  }
  expect((await sandbox.api('GET', path)).body).toEqual(before);
  for (const origin of [
    'http://localhost:5173',
    'https://app.test',
    'http://shop.localhost',
    sandbox.origin,
  ]) {
    const lines = [host, key, 'Content-Type: application/json', `Origin: ${origin}`];
    expect([origin, (await send(sandbox, `PATCH /v1${path}`, lines, '{}')).status]).toEqual([origin, 200]);
  }
  recordResult(context, `${refused} requests, ${refused} responses with 400`);
});
