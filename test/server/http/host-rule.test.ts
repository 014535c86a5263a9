import { hostname } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { createSandbox, startServer } from '../../../src/index.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { ACME_KEY, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { responseTo } from './raw.ts';

const PATHS = [
  '/v1/partner/cards',
  '/v1/nothing',
  '/openapi.json',
  '/_sandbox/info',
  '/dashboard',
  '/dashboard/assets/x.js',
  '/_sandbox/requests',
  '/_sandbox/stream',
  '/kyc/kycs_1',
  '/reveal/token?expires=1&signature=2',
  '/',
  '/nothing',
];

/** The response to a request with this Host header. */
function ask({ origin }: Pick<TestSandbox, 'origin'>, host: string, path = '/openapi.json', method = 'GET') {
  const lines = [`Host: ${host}`, `x-service-api-key: ${ACME_KEY}`, 'Authorization: Bearer control-token'];
  const head = [`${method} ${path} HTTP/1.1`, ...lines, 'Content-Length: 0', 'Connection: close', '', ''];
  return responseTo(origin, head.join('\r\n'));
}

/** For requests that change nothing. */
let shared: TestSandbox;
const atEnd = atFileEnd();
beforeAll(async () => {
  shared = await startSandbox({}, {}, {}, atEnd);
});

test.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'sandbox.localhost', '127.9.9.9', '[::1]'])(
  'on loopback a sandbox answers to the loopback name %s, with or without a port',
  async name => {
    for (const host of [name, `${name}:${new URL(shared.origin).port}`]) {
      expect((await ask(shared, host)).status).toBe(200);
      expect((await ask(shared, host, '/v1/partner/cards')).status).toBe(200);
    }
  },
);

test.each([
  'evil.example',
  'evil.example:4242',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'notlocalhost',
  'localhost.',
  '192.168.1.5',
  '128.0.0.1',
  '[::2]',
  '[::ffff:8.8.8.8]',
  '[::1',
  'x[::1]',
  '2130706433',
  'localhost@evil.example',
  'evil.example#localhost',
  'evil.example#.localhost',
  '',
])('the host %j, as a rebound DNS name sends it, is a 400 that names the remedy', async host => {
  const { status, text } = await ask(shared, host);
  expect(status).toBe(400);
  const { success, error } = JSON.parse(text);
  expect(success).toBe(false);
  expect(error).toContain(`header Host: ${JSON.stringify(host)} is not a name of this sandbox`);
  expect(error).toContain('--allow-host');
});

test('a request with two Host headers is a 400, whichever of them is a name of the sandbox', async () => {
  for (const hosts of [
    'localhost\r\nHost: evil.example',
    'evil.example\r\nHost: localhost',
    'a\r\nHost: a',
  ]) {
    const { status, text } = await ask(shared, hosts);
    expect([status, text]).toEqual([400, expect.stringContaining('is not a name of this sandbox')]);
  }
  expect((await ask(shared, 'localhost')).status).toBe(200);
});

test('a foreign host is a 400 on every path and for every method, and changes nothing', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  for (const path of PATHS) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, headers, text } = await ask(sandbox, 'evil.example', path, method);
      expect({ method, path, status }).toEqual({ method, path, status: 400 });
      expect(text).toMatch(/^\{"success":false,"error":"header Host: /);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  }
  expect((await ask(sandbox, 'evil.example', '/_sandbox/reset', 'POST')).status).toBe(400);
  expect((await sandbox.control('GET', '/clock')).body.now).toBe('2026-03-15T11:00:00.000Z');
  expect((await sandbox.control('GET', '/requests')).body).toEqual([]);
});

test('names in allowHost and hosts on the left side of map are answered, in any case and with any port', async () => {
  const map = [
    'https://hooks.partner.test/in=http://127.0.0.1:1',
    'http://[fd00::7]:8080=http://127.0.0.1:1',
  ];
  const allowHost = ['Sandbox.Internal', 'host.docker.internal', '10.0.0.5', '[fd00::5]'];
  const sandbox = await startSandbox({ map }, {}, { allowHost });
  const answered = [
    'sandbox.internal',
    'SANDBOX.internal:80',
    'host.docker.internal',
    '10.0.0.5',
    '[FD00::5]:1',
  ];
  for (const host of [...answered, 'hooks.partner.test', '[fd00::7]:8080', '127.0.0.1']) {
    for (const path of ['/_sandbox/info', '/v1/partner/cards', '/openapi.json', '/dashboard']) {
      expect({ host, path, status: (await ask(sandbox, host, path)).status }).toMatchObject({
        status: expect.not.toSatisfy((status: number) => status === 400),
      });
    }
  }
  for (const host of ['internal', 'a.sandbox.internal', 'partner.test', '10.0.0.6', 'evil.example']) {
    expect((await ask(sandbox, host)).status).toBe(400);
  }
});

test('beyond loopback every name is answered, unless names are allowed', async () => {
  const open = await startSandbox({}, {}, { host: '0.0.0.0' });
  for (const host of ['sandbox', 'any.example:80', hostname(), '127.0.0.1']) {
    expect((await ask(open, host)).status).toBe(200);
    expect((await ask(open, host, '/v1/partner/cards')).status).toBe(200);
  }
  const closed = await startSandbox({}, {}, { host: '0.0.0.0', allowHost: ['sandbox'] });
  for (const host of ['sandbox:4242', 'localhost', '127.0.0.1', hostname()]) {
    expect((await ask(closed, host)).status).toBe(200);
  }
  for (const path of PATHS) expect((await ask(closed, 'any.example', path)).status).toBe(400);
});

test('only the health of the sandbox is told to every name: probes of containers call it by address', async () => {
  const path = '/_sandbox/health';
  for (const host of ['evil.example', '10.1.2.3:80', '']) {
    expect((await ask(shared, host, path)).status).toBe(200);
    expect((await ask(shared, host, path, 'POST')).status).toBe(400);
    expect((await ask(shared, host, `${path}/x`)).status).toBe(400);
  }
});

test.each(['http://sandbox.internal', 'sandbox.internal:80', 'a/b', '', '*.internal', 'a b'])(
  'the name %j in allowHost is an error in words',
  async name => {
    await expect(startServer({ allowHost: [name] })).rejects.toThrow(
      'allowHost: must be a host name or an address without scheme, port and path',
    );
  },
);

test('startServer takes allowHost', async () => {
  await using server = await startServer({ allowHost: ['sandbox.internal'] });
  expect((await ask({ origin: server.url }, 'sandbox.internal')).status).toBe(200);
  expect((await ask({ origin: server.url }, 'other.internal')).status).toBe(400);
  expect(await server.clock.get()).toMatchObject({ mode: 'running' });
});

test('in process there is no Host rule: any base URL reaches the sandbox', async () => {
  await using sandbox = createSandbox();
  const headers = { 'x-service-api-key': sandbox.apiKey };
  for (const base of ['https://api.partner.example', 'http://192.168.1.5:8080', sandbox.url]) {
    expect((await sandbox.fetch(`${base}/v1/partner/cards`, { headers })).status).toBe(200);
    expect((await sandbox.fetch(`${base}/_sandbox/health`)).status).toBe(200);
  }
});
