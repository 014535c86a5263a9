import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { responseTo } from '../../server/http/raw.ts';
import { HOOKS, SECRET } from '../../support/receiver.ts';
import { ACME_KEY, startSandbox, type TestSandbox } from '../../support/sandbox.ts';

const setUrl = (
  sandbox: TestSandbox,
  origin: string,
  body: object = { webhookUrl: HOOKS, webhookSecret: SECRET },
) => sandbox.api('PATCH', '/partner/webhooks/config', body, { origin });

test.each([
  'https://evil.example',
  'null',
  '',
  'https://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'https://test',
  'https://app.test.example',
  'http://192.168.1.5',
  'file://localhost',
  'localhost',
])('a page of the origin %j may not change the webhook configuration', async origin => {
  const sandbox = await startSandbox();
  const { status, body } = await setUrl(sandbox, origin);
  expect({ status, body }).toEqual({
    status: 400,
    body: {
      success: false,
      error: expect.stringMatching(/^header Origin: .* may not change the webhook configuration; /),
    },
  });
  expect(
    (await sandbox.api('GET', '/partner/webhooks/config', undefined, { origin })).body.webhookUrl,
  ).toBeNull();
  const [, refused] = (await sandbox.control('GET', '/requests')).body;
  expect(refused.rule).toMatchObject({ fidelity: 'assumed', id: 'webhook-config-origin' });
});

test("a local page, the sandbox's own and callers without an Origin may change it", async () => {
  const sandbox = await startSandbox({}, {}, { allowHost: ['sandbox.internal'] });
  const local = [
    'http://localhost:3000',
    'https://127.0.0.1',
    'http://[::1]:8080',
    'http://app.localhost',
    'https://app.test:8443',
    sandbox.origin,
  ];
  for (const origin of local)
    expect({ origin, ...(await setUrl(sandbox, origin)) }).toMatchObject({ status: 200 });
  const { status } = await sandbox.api('PATCH', '/partner/webhooks/config', { webhookUrl: null });
  expect(status).toBe(200);
});

test('a page of an allowed origin of the partner may change it, and a refusal says so', async () => {
  const sandbox = await startSandbox();
  const origin = 'https://app.example';
  expect((await setUrl(sandbox, origin)).body.error).toContain(
    'add the origin to allowedOrigins with PATCH /_sandbox/partners/{id}/settings',
  );
  await sandbox.control('PATCH', '/partners/partner_acme/settings', { allowedOrigins: [origin] });
  expect((await setUrl(sandbox, origin)).status).toBe(200);
  expect((await setUrl(sandbox, 'https://other.example')).status).toBe(400);
});

test('the origin is refused before the body is judged, with the key and the limit before it', async () => {
  const sandbox = await startSandbox({ rateLimit: 1 });
  const broken = await setUrl(sandbox, 'https://evil.example', { webhookUrl: 7 });
  expect(broken.body.error).toMatch(/^header Origin: /);
  expect((await setUrl(sandbox, 'https://evil.example')).status).toBe(429);
});

/** The status of a change that a page requests under a `Host`, by default a page of the same host. */
async function statusOf(sandbox: TestSandbox, host: string, origin = `http://${host}`) {
  const body = '{"webhookUrl":null}';
  const lines = [`Host: ${host}`, `Origin: ${origin}`, `x-service-api-key: ${ACME_KEY}`];
  const type = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
  const head = ['PATCH /v1/partner/webhooks/config HTTP/1.1', ...lines, ...type, '', body];
  return (await responseTo(sandbox.origin, head.join('\r\n'))).status;
}

test('a name that is rebound to a sandbox beyond loopback is not its own origin', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0' });
  expect(await statusOf(sandbox, 'evil.example')).toBe(400);
  expect(await statusOf(sandbox, `${hostname()}:4242`)).toBe(200);
});

test('a page of the public URL may change it, whatever Host the proxy passes on', async () => {
  const publicUrl = 'https://cards.example';
  const sandbox = await startSandbox({ publicUrl });
  for (const host of ['cards.example', 'proxy.localhost']) {
    expect(await statusOf(sandbox, host, publicUrl)).toBe(200);
    expect(await statusOf(sandbox, host, 'https://evil.example')).toBe(400);
  }
});
