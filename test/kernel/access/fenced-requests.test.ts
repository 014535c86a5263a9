import { expect, test } from 'vitest';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { responseTo } from '../../surfaces/http/raw.ts';

/** A control request with exactly these header lines. */
async function send({ origin }: TestSandbox, lines: readonly string[], call = 'GET /_sandbox/health') {
  const head = [`${call} HTTP/1.1`, ...lines, 'Connection: close', 'Content-Length: 0', '', ''];
  const { status, text } = await responseTo(origin, head.join('\r\n'));
  return { status, body: text === '' ? null : JSON.parse(text) };
}

const refusedBy = (header: string) => ({
  status: 403,
  body: { success: false, error: expect.stringMatching(new RegExp(`^header ${header}: `)) },
});

test.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'sandbox.localhost', '127.9.9.9', '[::1]'])(
  'the control plane responds under the loopback name %s, with or without a port',
  async name => {
    const sandbox = await startSandbox();
    const { port } = new URL(sandbox.origin);
    expect((await send(sandbox, [`Host: ${name}`])).status).toBe(200);
    expect((await send(sandbox, [`Host: ${name}:${port}`])).status).toBe(200);
  },
);

test.each([
  'evil.example',
  'evil.example:4242',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'notlocalhost',
  '192.168.1.5',
  '128.0.0.1',
  '[::2]',
  '2130706433',
  'localhost@evil.example',
  'evil.example#localhost',
  '',
])('a request for the host %j, as a rebound DNS name sends it, is refused', async host => {
  const sandbox = await startSandbox();
  expect(await send(sandbox, [`Host: ${host}`])).toEqual(refusedBy('Host'));
  expect(await send(sandbox, [`Host: ${host}`], 'POST /_sandbox/reset')).toEqual(refusedBy('Host'));
});

test('a page of another origin may not control the sandbox, even on the same machine', async () => {
  const sandbox = await startSandbox();
  const { host, hostname, port } = new URL(sandbox.origin);
  const foreign = [
    'https://evil.example',
    'null',
    '',
    `https://${host}`,
    `http://${hostname}`,
    `http://${hostname}:${Number(port) + 1}`,
    `http://localhost:${port}`,
    `http://${host}.evil.example`,
    `http://${host}/`,
  ];
  for (const origin of foreign) {
    const response = await send(sandbox, [`Host: ${host}`, `Origin: ${origin}`]);
    expect({ origin, ...response }).toEqual({ origin, ...refusedBy('Origin') });
  }
  const twice = [`Host: ${host}`, `Origin: http://${host}`, 'Origin: https://evil.example'];
  expect(await send(sandbox, twice)).toEqual(refusedBy('Origin'));
});

test("the sandbox's own page may control it", async () => {
  const sandbox = await startSandbox();
  const { host, port } = new URL(sandbox.origin);
  expect((await send(sandbox, [`Host: ${host}`, `Origin: http://${host}`])).status).toBe(200);
  const named = [`Host: localhost:${port}`, `Origin: http://localhost:${port}`];
  expect((await send(sandbox, named)).status).toBe(200);
});

test('a refused control request changes nothing and gets no CORS headers', async () => {
  const sandbox = await startSandbox();
  const headers = { origin: 'https://evil.example' };
  const advance = await sandbox.control('POST', '/clock/advance', { duration: '1h' }, headers);
  expect(advance.status).toBe(403);
  expect(advance.headers.get('access-control-allow-origin')).toBeNull();
  expect((await sandbox.control('GET', '/clock')).body.now).toBe('2026-03-15T10:00:00.000Z');
  const preflight = await sandbox.control('OPTIONS', '/clock/advance', undefined, headers);
  expect(preflight.status).toBe(403);
});

test('the fence is checked first, so that a foreign page learns nothing', async () => {
  const sandbox = await startSandbox();
  for (const path of ['/nothing', '/partners/nobody/settings', '/requests?status=x']) {
    const { status } = await sandbox.control('GET', path, undefined, { origin: 'https://evil.example' });
    expect(status).toBe(403);
  }
});

test('on loopback no token is needed, and a wrong one is ignored', async () => {
  const { control } = await startSandbox();
  expect((await control('GET', '/health')).status).toBe(200);
  expect((await control('GET', '/health', undefined, { authorization: 'Bearer wrong' })).status).toBe(200);
});

test('beyond loopback every control request needs the token, and the API needs its key', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0', controlToken: 'right-token' });
  const paths = ['/health', '/info', '/clock', '/partners', '/requests', '/assumptions', '/nothing'];
  const tokens = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong-token',
    'Bearer right-toke',
    'Bearer right-token2',
    'Basic right-token',
    'right-token',
  ];
  for (const path of paths) {
    const { status, body } = await sandbox.control('GET', path);
    expect({ path, status, body }).toEqual({
      path,
      status: 401,
      body: { success: false, error: expect.stringMatching(/^header Authorization: /) },
    });
  }
  for (const authorization of tokens) {
    const { status } = await sandbox.control('POST', '/reset', undefined, { authorization });
    expect({ authorization, status }).toEqual({ authorization, status: 401 });
  }
  for (const authorization of ['Bearer right-token', 'bearer right-token']) {
    expect((await sandbox.control('GET', '/health', undefined, { authorization })).status).toBe(200);
  }
  expect((await sandbox.api('GET', '/partner/cards')).status).toBe(200);
});

test('beyond loopback a foreign Host or Origin is refused even with the token', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0', controlToken: 'right-token' });
  const token = 'Authorization: Bearer right-token';
  expect(await send(sandbox, ['Host: evil.example', token])).toEqual(refusedBy('Host'));
  const { host } = new URL(sandbox.origin);
  expect(await send(sandbox, [`Host: ${host}`, 'Origin: null', token])).toEqual(refusedBy('Origin'));
});

test('no response contains the control token', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0', controlToken: 'right-token' });
  const headers = { authorization: 'Bearer right-token' };
  await sandbox.api('GET', '/partner/cards', undefined, headers);
  for (const path of ['/info', '/requests', '/nothing']) {
    const { body } = await sandbox.control('GET', path, undefined, headers);
    expect(JSON.stringify(body)).not.toContain('right-token');
  }
});

test('the API has no fence: it responds under any host name', async () => {
  const sandbox = await startSandbox();
  const { status } = await send(sandbox, ['Host: api.partner.example'], 'GET /v1/partner/cards');
  expect(status).toBe(401);
});
