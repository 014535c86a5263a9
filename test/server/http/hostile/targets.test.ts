import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { atFileEnd } from '../../../support/at-file-end.ts';
import { AUTHENTICATED, responseTo } from '../raw.ts';
import { type AttackTarget, expectSimpleError, startAttackTarget } from './attack-target.ts';

const get = (target: string, method = 'GET') => `${method} ${target} HTTP/1.1\r\n${AUTHENTICATED}\r\n`;

/** For requests that change nothing. */
let shared: AttackTarget;
const atEnd = atFileEnd();
beforeAll(async () => {
  shared = await startAttackTarget(atEnd);
});

test.each([
  ['/v1/partner/cards/%00', 400],
  ['/v1/partner/cards/%0d%0aSet-Cookie:x', 400],
  ['/v1/partner/cards/%7f', 400],
  ['/v1/partner/cards/%zz', 400],
  ['/v1/partner/cards/%', 400],
  ['/v1/partner/cards/%ff', 400],
  ['/v1/partner/cards/%ed%a0%80', 400],
  ['/v1/partner/cards/a%2Fb', 404],
  ['/v1/partner/cards/%2e%2e', 404],
  ['/v1/partner/cards/..', 404],
  ['/v1/partner/cards/../../../etc/passwd', 404],
  ['/v1/../_sandbox/info', 404],
  ['/v1/partner/cards/__proto__', 404],
  ['/v1/partner/cards/constructor', 404],
  ['/v1/__proto__', 404],
  ['/v1//partner/cards', 404],
  ['/v1/partner//cards', 404],
  ['//v1/partner/cards', 404],
  ['/v1', 404],
  ['/v1/', 404],
  ['/v1x', 404],
  ['/v1?/partner/cards', 404],
  ['/V1/partner/cards', 404],
  ['/v1;x/partner/cards', 404],
  ['/v1%2Fpartner/cards', 404],
  ['/v1/partner/cards/{id}', 404],
  [`/v1/${'a'.repeat(15_000)}`, 404],
  [`/v1/partner/cards/${'a'.repeat(15_000)}`, 404],
  [`/v1${'/'.repeat(15_000)}`, 404],
  [`/v1/partner/cards/${'%41'.repeat(5_000)}`, 404],
  ['/_sandbox', 404],
  ['/_sandbox/', 404],
  ['/_sandbox/%zz', 404],
  ['/_sandbox/requests/%zz', 400],
  ['/_sandbox/partners/__proto__/settings', 404],
  ['/_sandbox/cardholders/%00', 400],
  ['/%zz', 404],
  ['/%00', 404],
  ['/partner/cards', 404],
  ['//evil.example/x', 404],
  ['///', 404],
  ['/..', 404],
  [`/${'a'.repeat(15_000)}`, 404],
  ['http://evil.example/nothing', 404],
  ['http://evil.example/v1/partner/nothing', 404],
  ['HTTP://evil.example/_sandbox/nothing', 404],
  ['http://[::1/x', 404],
  ['http://a:b:c/%zz', 404],
  ['http://a:99999999/x', 404],
  ['http://user:secret@evil.example/x', 404],
  ['ftp://evil.example/x', 404],
  ['/v1/partner/cards?page=%00', 400],
  ['/v1/partner/cards?page=%zz', 400],
  ['/v1/partner/cards?page=1&page=1', 400],
  ['/v1/partner/cards?status=__proto__', 400],
  ['/v1/partner/usage/records?from=%ff', 400],
  ['/v1/partner/usage/records?from=99999999999999999999', 400],
  ['/v1/partner/usage/records?from=2026-02-30', 400],
  ['/v1/partner/usage/records?billingPeriod=2026-13', 400],
])('GET %s is refused with %i and does no harm', async (target, status) => {
  const { origin, expectUnharmed } = shared;
  expectSimpleError(await responseTo(origin, get(target)), status);
  await expectUnharmed();
});

test('a malformed path of a page is refused, and no stack trace is printed', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    printed.mockRestore();
  });
  const { origin, expectUnharmed } = await startAttackTarget();
  for (const [target, status] of [
    ['/dashboard/%ff%fe', 400],
    ['/dashboard/%', 400],
    ['/dashboard/present/%ff', 400],
    ['/dashboard/main/present/%c0%af', 400],
    ['/dashboard/%e0%80/present', 400],
    ['/dashboard/assets/%ff%fe', 400],
    ['/dashboard/%2e%2e/%ff', 404],
    ['/%ff/dashboard', 404],
    ['/openapi.json/%ff', 404],
    ['*', 404],
  ] as const) {
    for (const method of ['GET', 'POST'])
      expectSimpleError(await responseTo(origin, get(target, method)), status);
  }
  expect(printed).not.toHaveBeenCalled();
  await expectUnharmed();
});

test.each(['http://127.0.0.1', 'http://127.0.0.1?x=1', 'http://127.0.0.1/'])(
  'GET %s shows the index',
  async target => {
    const { status, text } = await responseTo(shared.origin, get(target));
    expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ name: 'card-sandbox' })]);
  },
);

test.each([
  '/v1/partner/cards?',
  '/v1/partner/cards??',
  '/v1/partner/cards?&&&=&=',
  '/v1/partner/cards?__proto__=1&constructor=1',
  '/v1/partner/cards?%ff=%ff',
  '/v1/partner/cards?%zz',
  '/v1/partner/cards?x=1&x=2',
  `/v1/partner/cards?${'a&'.repeat(7_000)}`,
  '/v1/partner/cards?status[]=active&status[$ne]=x',
  'http://evil.example/v1/partner/cards',
  '/v1/partner/cardholders?email=%00&externalUserId=%ff',
])('GET %s succeeds: unknown parameters are ignored', async target => {
  const { origin, expectUnharmed } = shared;
  expect((await responseTo(origin, get(target))).status).toBe(200);
  await expectUnharmed();
});

test('the host of an absolute target is ignored: the Host header is checked', async () => {
  const { origin } = shared;
  const send = (target: string, host: string) =>
    responseTo(origin, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expectSimpleError(await send('http://127.0.0.1/_sandbox/info', 'evil.example'), 400);
});

test.each(['TRACE', 'PROPFIND', 'PURGE', 'LINK', 'M-SEARCH', 'SEARCH', 'LOCK', 'DELETE', 'PUT'])(
  'no path has an operation with the method %s',
  async method => {
    const { origin, expectUnharmed } = shared;
    for (const target of ['/v1/partner/cards', '/_sandbox/clock', '/']) {
      const answer = await responseTo(origin, get(target, method));
      expectSimpleError(answer, 404);
      expect(answer.text).not.toContain('sk_test_');
    }
    await expectUnharmed();
  },
);

test.each(['FOO', 'get', 'GETS', '\x01'])('the method %j is malformed HTTP', async method => {
  const { origin, expectUnharmed } = shared;
  expectSimpleError(await responseTo(origin, get('/v1/partner/cards', method)), 400);
  await expectUnharmed();
});

test('an unsupported upgrade is handled like any request', async () => {
  const { origin, expectUnharmed } = shared;
  const upgrade = get('/v1/partner/cards').replace(
    'Connection: close',
    'Connection: Upgrade\r\nUpgrade: h2c',
  );
  expect((await responseTo(origin, upgrade)).status).toBe(200);
  await expectUnharmed();
});
