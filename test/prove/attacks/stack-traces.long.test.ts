import { expect, test } from 'vitest';
import { exchange } from '../../server/http/raw.ts';
import { startCli } from '../../support/cli-process.ts';
import { PROOF_TIMEOUT_MS, recordResult } from '../../support/proof/proof-size.ts';
import { ACME_KEY } from '../../support/sandbox.ts';

const HEAD = `Host: 127.0.0.1\r\nConnection: close\r\nx-service-api-key: ${ACME_KEY}\r\n`;
const request = (line: string, more = '', body = '') => `${line}\r\n${HEAD}${more}\r\n${body}`;
const json = (body: string | Buffer, type = 'application/json') =>
  Buffer.concat([
    Buffer.from(
      request(
        'POST /v1/partner/kyc-sessions HTTP/1.1',
        `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`,
      ),
    ),
    Buffer.from(body),
  ]);

const PAGES = ['dashboard', 'reveal', 'kyc', 'openapi.json', 'v1/partner/cards', '_sandbox/requests'];
const REQUESTS: readonly (string | Buffer)[] = [
  ...PAGES.flatMap(page =>
    ['%ff%fe', '%c0%af', '%', '%zz/..', '%00', '__proto__', `${'a/'.repeat(4_000)}`, '%e0%80%80'].map(tail =>
      request(`GET /${page}/${tail} HTTP/1.1`),
    ),
  ),
  ...[
    '*',
    'http://',
    'http://[',
    'http://127.0.0.1:x/',
    '//',
    '\\',
    '?',
    '#',
    'a',
    'file:///etc/passwd',
    '/\x7f',
    '/\xff',
  ].map(target => request(`GET ${target} HTTP/1.1`)),
  ...[
    'GET',
    'GET /',
    'GET / HTTP/9.9',
    'GET / HTTP/1.1 x',
    'CONNECT x:1 HTTP/1.1',
    'PRI * HTTP/2.0',
    '\x16\x03\x01',
    'OPTIONS * HTTP/1.1',
  ].map(line => request(line)),
  ...[
    'Content-Length: x',
    'Content-Length: -1',
    'Content-Length: 5\r\nContent-Length: 6',
    'Transfer-Encoding: x',
    ': x',
    'a b: c',
  ].map(header => request('POST /v1/partner/kyc-sessions HTTP/1.1', `${header}\r\n`)),
  ...[
    'Content-Encoding: gzip',
    'Expect: x',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Range: bytes=9-1',
    'Cookie: \x80=\xff',
  ].map(header => request('POST /_sandbox/events HTTP/1.1', `${header}\r\nContent-Length: 3\r\n`, '{"a')),
  request('POST /v1/partner/cards HTTP/1.1', 'Transfer-Encoding: chunked\r\n', 'zz\r\n'),
  request('POST /v1/partner/cards HTTP/1.1', 'Transfer-Encoding: chunked\r\n', 'ffffffffffffffff\r\nx'),
  request(
    'POST /v1/partner/cards HTTP/1.1',
    'Transfer-Encoding: chunked\r\n',
    '5;a="\r\nhello\r\n0\r\nx\r\n\r\n',
  ),
  ...[
    '{',
    '[',
    `${'['.repeat(100_000)}`,
    `${'{"a":'.repeat(50_000)}`,
    '"\\ud800"',
    '{"__proto__":{"toString":1}}',
    '1e99999',
    '\u0000',
  ].map(body => json(body)),
  ...[
    'application/json; charset=utf-7',
    'application/json; charset=',
    'multipart/form-data',
    'application/json;;',
    'x',
  ].map(type => json('{}', type)),
  json(Buffer.from([0xff, 0xfe, 0x00])),
];

test('no malformed request gets a stack trace or a path of this machine, over HTTP or in the log', {
  timeout: PROOF_TIMEOUT_MS,
}, async context => {
  const { listening, ask, ...process } = await startCli(['--rate-limit', '0'], { NODE_ENV: 'production' });
  const texts = await Promise.all(REQUESTS.map(bytes => exchange(listening.url, bytes)));
  const internals =
    /node_modules|node:internal|\.c?[jt]s:\d|\bat (?:async )?[\w.<>]+ \(|\/dist\/|Cannot GET|<pre>/;
  const revealing = texts.flatMap((responses, index) =>
    responses
      .filter(({ status, text }) => (status >= 500 && status !== 501) || internals.test(text))
      .map(({ status, text }) => [String(REQUESTS[index]).slice(0, 80), status, text.slice(0, 200)]),
  );
  expect(revealing).toEqual([]);
  expect(texts.filter(responses => responses.length > 0).length).toBeGreaterThan(REQUESTS.length * 0.8);
  expect((await ask('GET', '/v1/partner/balance')).status).toBe(200);
  expect(process.stderr()).toBe('');
  expect(process.stdout()).not.toMatch(internals);
  recordResult(context, `${REQUESTS.length} requests, 0 stack traces, no 5xx`);
});
