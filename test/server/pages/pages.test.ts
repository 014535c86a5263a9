import { expect, test } from 'vitest';
import pkg from '../../../package.json' with { type: 'json' };
import { startSandbox } from '../../support/sandbox.ts';

const send = async (origin: string, path: string, init: RequestInit = {}) => {
  const response = await fetch(origin + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
};

test('the root lists only paths that exist', async () => {
  const { origin } = await startSandbox();
  const { status, body } = await send(origin, '/');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      name: 'card-sandbox',
      version: pkg.version,
      api: '/v1',
      control: '/_sandbox',
      dashboard: '/dashboard',
      keys: '/_sandbox/info',
      assumptions: '/_sandbox/assumptions',
      openapi: '/openapi.json',
    },
  });
  for (const path of [body.keys, body.assumptions, body.openapi])
    expect((await send(origin, path)).status).toBe(200);
  expect(await send(origin, '/', { method: 'HEAD' })).toMatchObject({ status: 200, body: null });
});

test.each(['/nothing', '/favicon.ico', '/v2/partner/cards', '/_sandboxes', '/v1x', '/robots.txt'])(
  '%s is a 404 that names the API and the control plane',
  async path => {
    const { origin } = await startSandbox();
    const { status, body, headers } = await send(origin, path);
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        success: false,
        error: `nothing is served at ${path}: the API is below /v1, the control plane below /_sandbox`,
      },
    });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  },
);

test.each([
  ['a missing version segment', '/partner/cards'],
  ['a doubled slash', '//v1/partner/cards'],
])('%s gets a hint', async (_what, path) => {
  const { origin } = await startSandbox();
  const { status, body } = await send(origin, path, { method: 'POST', body: '{}' });
  expect(status).toBe(404);
  expect(body.error).toMatch(/; did you mean \/v1\/partner\/cards\?$/);
});

test.each([
  ['/kyc', /the url that POST \/v1\/partner\/kyc-sessions returns$/],
  ['/kyc/a/b', /the url that POST \/v1\/partner\/kyc-sessions returns$/],
  ['/reveal/', /the accessUrl that POST \/v1\/partner\/cards\/\{id\}\/reveal-html returns$/],
])('%s is a 404 with a hint at the page', async (path, hint) => {
  const { origin } = await startSandbox();
  const { status, body } = await send(origin, path);
  expect({ status, body }).toEqual({
    status: 404,
    body: { success: false, error: expect.stringMatching(hint) },
  });
});

test('no response has an X-Powered-By, Server or ETag header', async () => {
  const { origin } = await startSandbox();
  for (const path of ['/', '/nothing', '/v1/partner/cards', '/_sandbox/health']) {
    const { headers } = await send(origin, path);
    for (const name of ['x-powered-by', 'server', 'etag'])
      expect([path, headers.get(name)]).toEqual([path, null]);
  }
});
