import { request } from 'node:http';
import { expect, test } from 'vitest';
import { ACME_KEY, type Json, startSandbox } from '../../support/sandbox.ts';

/** Sends a request with a `Host` of its own, as one that arrives through a mapped port has it. */
function call(
  origin: string,
  host: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const headers = {
    'x-service-api-key': ACME_KEY,
    'content-type': 'application/json',
    ...(host !== null && { host }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(origin + path, { method, headers, setHost: false }, response => {
      let text = '';
      response.on('data', chunk => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Returns the origins of all links that a sandbox hands out. */
async function linksOf(origin: string, host: string): Promise<string[]> {
  const ask = (method: string, path: string, body?: unknown) => call(origin, host, method, path, body);
  const { accessUrl } = await ask('POST', '/v1/partner/cards/card_mia_active/reveal-html', {});
  const session = await ask('POST', '/v1/partner/kyc-sessions', {});
  const read = await ask('GET', `/v1/partner/kyc-sessions/${session.id}`);
  const [listed] = await ask('GET', '/_sandbox/kyc-sessions?limit=1');
  const approved = await ask('POST', `/_sandbox/kyc-sessions/${session.id}/approve`, {});
  const info = await ask('GET', '/_sandbox/info');
  const created = await ask('POST', '/_sandbox/worlds', {});
  const world = await ask('GET', `/_sandbox/worlds/${created.id}`);
  const worlds = await ask('GET', '/_sandbox/worlds');
  const urls: string[] = [
    accessUrl,
    ...[session, read, listed, approved].map(({ url }) => url),
    info.baseUrl,
    info.dashboardUrl,
    ...[created, world, ...worlds].flatMap(each => [
      each.url,
      each.controlUrl,
      each.baseUrl,
      each.dashboardUrl,
    ]),
  ];
  return [...new Set(urls.map(url => new URL(url).origin))];
}

test.each(['localhost:5599', '127.0.0.1:1', '[::1]:5599', 'sandbox.localhost', 'LOCALHOST:5599'])(
  'every link names the address that was called: %s',
  async host => {
    const { origin } = await startSandbox({ fixtures: ['starter'] });
    expect(await linksOf(origin, host)).toEqual([`http://${host.toLowerCase()}`]);
  },
);

test.each([
  ['localhost:80', 'http://localhost'],
  ['[::1]:80', 'http://[::1]'],
])('a link omits the default port: %s', async (host, shown) => {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  expect(await linksOf(origin, host)).toEqual([shown]);
});

test('with a public URL, every link names that, whatever was called', async () => {
  const publicUrl = 'https://sandbox.corp.example';
  const written = 'HTTPS://Sandbox.Corp.Example/';
  const { origin, control } = await startSandbox({ fixtures: ['starter'], publicUrl: written });
  expect((await control('GET', '/info')).body.options.publicUrl).toBe(publicUrl);
  for (const host of ['localhost:5599', 'sandbox.corp.example']) {
    expect(await linksOf(origin, host)).toEqual([publicUrl]);
  }
});

test('a link works at the address that was called', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  const { accessUrl } = await call(
    origin,
    'localhost:5599',
    'POST',
    '/v1/partner/cards/card_mia_active/reveal-html',
    {},
  );
  const { pathname, search } = new URL(accessUrl);
  expect((await fetch(origin + pathname + search)).status).toBe(200);
});

test('a host that is not allowed gets no link, and neither does one that is not an authority', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  expect(await call(origin, 'evil.example', 'POST', '/v1/partner/kyc-sessions', {})).toMatchObject({
    success: false,
  });
  const open = await startSandbox({ fixtures: ['starter'] }, {}, { host: '0.0.0.0' });
  const { url } = await call(open.origin, 'evil.example/"<x>', 'POST', '/v1/partner/kyc-sessions', {});
  expect(new URL(url).origin).toBe(open.origin);
});

test('what is stored does not depend on the address that was called', async () => {
  const [one, other] = [
    await startSandbox({ fixtures: ['starter'] }),
    await startSandbox({ fixtures: ['starter'] }),
  ];
  const stateAfter = async (origin: string, host: string) => {
    const ask = (method: string, path: string, body?: unknown) => call(origin, host, method, path, body);
    const config = { webhookUrl: 'https://hooks.test/', webhookSecret: 'a-secret-of-more-than-16' };
    await ask('PATCH', '/v1/partner/webhooks/config', {
      ...config,
      subscribedEvents: ['kyc_session.completed'],
    });
    const { id } = await ask('POST', '/v1/partner/kyc-sessions', {});
    await ask('POST', `/_sandbox/kyc-sessions/${id}/approve`, {});
    await ask('POST', '/_sandbox/events', { eventType: 'kyc_session.completed' });
    const { tables } = await ask('GET', '/_sandbox/state');
    const bodies = tables.deliveries.map(({ body }: Json) => body);
    return JSON.stringify([tables.kycSessions, bodies]).replaceAll(origin, 'ORIGIN');
  };
  const first = await stateAfter(one.origin, 'localhost:1');
  expect(first).not.toContain('localhost:1');
  expect(await stateAfter(other.origin, 'localhost:2')).toBe(first);
});
