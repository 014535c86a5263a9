import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { ACME_KEY, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { responseTo } from './raw.ts';

const PUBLIC = 'https://sandbox.corp.example';
const HOST = 'sandbox.corp.example';

/** The status of a request with these headers, as a proxy that ends TLS passes it on. */
async function ask(
  { origin }: TestSandbox,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [
    `${method} ${path} HTTP/1.1`,
    ...lines,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return responseTo(origin, `${head.join('\r\n')}\r\n\r\n${body}`);
}

const start = (server: Parameters<typeof startSandbox>[2] = {}) =>
  startSandbox({ fixtures: ['starter'], publicUrl: PUBLIC }, {}, server);

test.each(['127.0.0.1', '0.0.0.0'])(
  'on %s, the public host, loopback names and --allow-host are answered',
  async host => {
    const sandbox = await start({ host, allowHost: ['sandbox.internal'] });
    const status = async (name: string) =>
      (await ask(sandbox, 'GET', '/openapi.json', { Host: name })).status;
    const port = new URL(sandbox.origin).port;
    for (const name of [
      HOST,
      `${HOST}:443`,
      HOST.toUpperCase(),
      'localhost',
      `127.0.0.1:${port}`,
      'sandbox.internal',
    ]) {
      expect([name, await status(name)]).toEqual([name, 200]);
    }
    for (const name of ['evil.example', `${HOST}.evil.example`, 'corp.example', '']) {
      expect([name, await status(name)]).toEqual([name, 400]);
    }
  },
);

test('pages of the public URL control the sandbox, whatever Host the proxy passes on; others do not', async () => {
  const sandbox = await start();
  const port = new URL(sandbox.origin).port;
  const status = async (Host: string, Origin: string) => {
    const headers = { Host, Origin, 'Sec-Fetch-Site': 'same-origin' };
    const control = await ask(sandbox, 'GET', '/_sandbox/info', headers);
    const dashboard = await ask(sandbox, 'GET', '/dashboard', headers);
    return [control.status, dashboard.status];
  };
  for (const host of [HOST, `localhost:${port}`, `127.0.0.1:${port}`]) {
    expect([host, await status(host, PUBLIC)]).toEqual([host, [200, 200]]);
  }
  expect(await status(`localhost:${port}`, `http://localhost:${port}`), 'without the proxy').toEqual([
    200, 200,
  ]);
  for (const origin of [
    'http://sandbox.corp.example',
    'https://sandbox.corp.example:8443',
    'https://evil.example',
    'null',
  ]) {
    expect([origin, await status(HOST, origin)]).toEqual([origin, [403, 403]]);
  }
  const forwarded = { Host: 'localhost', Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' };
  expect(
    (await ask(sandbox, 'GET', '/_sandbox/info', { ...forwarded, 'X-Forwarded-Proto': 'https' })).status,
  ).toBe(403);
});

test('forms and the webhook configuration follow the public URL', async () => {
  const sandbox = await start();
  const { body: session } = await sandbox.api('POST', '/partner/kyc-sessions', {});
  const send = (Origin: string) =>
    ask(
      sandbox,
      'POST',
      new URL(session.url).pathname,
      { Host: HOST, Origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      'decision=reject',
    );
  expect((await send('http://sandbox.corp.example')).status).toBe(403);
  expect((await send(PUBLIC)).status).toBe(303);
  const configure = (Origin: string) =>
    ask(
      sandbox,
      'PATCH',
      '/v1/partner/webhooks/config',
      { Host: HOST, Origin, 'x-service-api-key': ACME_KEY, 'Content-Type': 'application/json' },
      '{"webhookUrl":null}',
    );
  expect((await configure('https://evil.example')).status).toBe(400);
  expect((await configure(PUBLIC)).status).toBe(200);
});

test('the document of the API names the public URL to those who call it there', async () => {
  const sandbox = await start();
  const servers = async (Host: string) =>
    JSON.parse((await ask(sandbox, 'GET', '/openapi.json', { Host })).text).servers[0].url;
  expect(await servers(HOST)).toBe(`${PUBLIC}/v1`);
  expect(await servers('localhost')).toBe('http://localhost/v1');
});

test('a public URL asks for no token', async () => {
  expect((await (await start()).control('GET', '/info')).status).toBe(200);
});

test.each([
  'https://sandbox.corp.example/sandbox',
  'https://sandbox.corp.example/?',
  'https://sandbox.corp.example#',
  'https://user@sandbox.corp.example',
  'sandbox.corp.example',
  'ftp://sandbox.corp.example',
  'https://',
  '',
])('%j is not a public URL', publicUrl => {
  expect(() => createSandbox({ publicUrl })).toThrow(
    /publicUrl: must be an http:\/\/ or https:\/\/ URL without path/,
  );
});
