import { expect, test } from 'vitest';
import { responseTo } from '../../server/http/raw.ts';
import { CONTROL_OPERATIONS, controlPath } from '../../support/control-operations.ts';
import { type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

/** A control request with exactly these header lines. */
async function send({ origin }: TestSandbox, lines: readonly string[], call = 'GET /_sandbox/health') {
  const head = [`${call} HTTP/1.1`, ...lines, 'Connection: close', 'Content-Length: 0', '', ''];
  const { status, text } = await responseTo(origin, head.join('\r\n'));
  return { status, body: text === '' ? null : JSON.parse(text) };
}

const refusedBy = (header: string, status = 403) => ({
  status,
  body: { success: false, error: expect.stringMatching(new RegExp(`^header ${header}: `)) },
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
  for (const [name, scheme] of [
    ['localhost', 'http'],
    ['LocalHost', 'http'],
    ['localhost', 'HTTP'],
  ]) {
    const named = [`Host: ${name}:${port}`, `Origin: ${scheme}://localhost:${port}`];
    expect((await send(sandbox, named)).status).toBe(200);
  }
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

test('the sender is checked first, so that a foreign page learns nothing', async () => {
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

test('beyond loopback every control request but health needs the token, and the API its key', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0', controlToken: 'right-token' });
  const paths = [
    '/info',
    '/clock',
    '/partners',
    '/requests',
    '/assumptions',
    '/nothing',
    '/worlds/main/health',
  ];
  const tokens = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong-token',
    'Bearer right-toke',
    'Bearer right-token2',
    'Bearer right-tokeN',
    'xBearer right-token',
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
  expect((await sandbox.control('GET', '/health')).status).toBe(200);
  for (const authorization of ['Bearer right-token', 'BEARER   right-token']) {
    expect((await sandbox.control('GET', '/info', undefined, { authorization })).status).toBe(200);
  }
  expect((await sandbox.api('GET', '/partner/cards')).status).toBe(200);
});

test('each operation of the control plane but health needs the token, in each world', async () => {
  const sandbox = await startSandbox({}, {}, { requireToken: true, controlToken: 'right-token' });
  const right = { authorization: 'Bearer right-token' };
  await sandbox.control('POST', '/worlds', { id: 'blue' }, right);
  const before = (await sandbox.control('GET', '/worlds', undefined, right)).body;
  const texts = new Set<string>();
  for (const operation of CONTROL_OPERATIONS) {
    for (const world of [null, 'blue', 'none']) {
      const path = controlPath(operation, world);
      const isOpen = operation.id === 'health' && world === null;
      const { status, body } = await sandbox.control(operation.method, path);
      expect({ path, isOpen: status !== 401 }).toEqual({ path, isOpen });
      if (!isOpen) texts.add(body.error);
    }
  }
  expect(texts.size, 'the refusal reveals nothing').toBe(1);
  const after = (await sandbox.control('GET', '/worlds', undefined, right)).body;
  const idOf = ({ id, partners }: Json) => ({ id, partners });
  expect(after.map(idOf)).toEqual(before.map(idOf));
});

test('beyond loopback a foreign Origin is refused even with the token', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0', controlToken: 'right-token' });
  const token = 'Authorization: Bearer right-token';
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

test('no webhook may drive a sandbox: its signature and its User-Agent are refused', async () => {
  const sandbox = await startSandbox({ names: { service: 'acme' } });
  const { host } = new URL(sandbox.origin);
  const marks: [string, string][] = [
    ['X-Service-Signature: t=1,v1=00', 'x-service-signature'],
    ['X-Service-Signature: ', 'x-service-signature'],
    ['X-Acme-Signature: t=1,v1=00', 'x-acme-signature'],
    ['User-Agent: card-sandbox/1.0.0', 'User-Agent'],
    ['User-Agent: Card-Sandbox/9', 'User-Agent'],
    ['User-Agent: card-sandbox-doctor', 'User-Agent'],
  ];
  for (const [line, name] of marks) {
    for (const call of ['POST /_sandbox/reset', 'GET /_sandbox/info']) {
      const response = await send(sandbox, [`Host: ${host}`, line], call);
      expect({ line, ...response }).toEqual({ line, ...refusedBy(name) });
    }
  }
  const others = ['X-Other-Signature: 1', 'User-Agent: my-card-sandbox/1', 'User-Agent: card-sandboxes'];
  for (const line of others) expect((await send(sandbox, [`Host: ${host}`, line])).status).toBe(200);
});

test('a webhook whose URL leads to another control plane does not drive it', async () => {
  const target = await startSandbox();
  await target.control('POST', '/clock/advance', { duration: '1h' });
  const { api, control } = await startSandbox({ allowHttpWebhooks: true });
  await api('PATCH', '/partner/webhooks/config', {
    webhookUrl: `${target.origin}/_sandbox/reset`,
    webhookSecret: 'a-secret-of-some-length',
    subscribedEvents: ['balance.top_up'],
  });
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  const [delivery] = (await control('GET', '/deliveries')).body;
  expect(delivery).toMatchObject({ lastResponseStatus: 403 });
  expect((await target.control('GET', '/clock')).body.now).toBe('2026-03-15T11:00:00.000Z');
});

test('a page of another site can neither link to nor embed the control plane', async () => {
  const sandbox = await startSandbox();
  const { host } = new URL(sandbox.origin);
  const from = (site: string) => send(sandbox, [`Host: ${host}`, `Sec-Fetch-Site: ${site}`]);
  expect(await from('cross-site')).toEqual(refusedBy('Sec-Fetch-Site'));
  for (const site of ['none', 'same-origin']) expect((await from(site)).status).toBe(200);
});

test('responses of the control plane are private: not cached, not embedded, not framed', async () => {
  const { control } = await startSandbox();
  const replies = [
    await control('GET', '/info'),
    await control('POST', '/reset'),
    await control('GET', '/nothing'),
    await control('GET', '/info', undefined, { origin: 'https://evil.example' }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 204, 404, 403]);
  for (const { headers } of replies) expectPrivate(headers);
});

test('the event stream is private too', async () => {
  const { origin } = await startSandbox();
  const stream = await fetch(`${origin}/_sandbox/stream`);
  expectPrivate(stream.headers);
  await stream.body?.cancel();
});

function expectPrivate(headers: Headers) {
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  });
}
