import { expect, test } from 'vitest';
import { createClient, RefusedError, UnreachableError, UnsendableError } from '../../src/client/client.ts';
import { ACME_KEY, startSandbox } from '../support/sandbox.ts';

test('a client calls the control plane and the API', async () => {
  const { origin } = await startSandbox();
  const client = createClient({ url: `${origin}/`, fetch });
  expect(client).toMatchObject({ url: origin, baseUrl: `${origin}/v1` });
  expect(await client.info()).toMatchObject({ partners: [{ apiKey: ACME_KEY }, {}] });
  const body = { duration: '1h' };
  const advanced = await client.control({ method: 'POST', path: '/clock/advance', body });
  expect(advanced).toMatchObject({ status: 200, body: { now: '2026-03-15T11:00:00.000Z' } });
  const cards = await client.exchange(ACME_KEY, {
    method: 'GET',
    path: '/partner/cards',
    query: { limit: '1' },
  });
  expect(cards.body).toMatchObject({ data: [], limit: 1 });
  expect(await client.control({ method: 'POST', path: '/reset' })).toEqual({
    status: 204,
    body: null,
  });
});

test('a refusal has its status and message, simple or structured', async () => {
  const answers = [
    Response.json({ success: false, error: 'no card with id "x"' }, { status: 404 }),
    Response.json({ success: false, error: { code: 'LOCKED', message: 'it is locked' } }, { status: 409 }),
  ];
  const client = createClient({
    url: 'http://sandbox',
    fetch: async () => answers.shift() ?? Response.error(),
  });
  const call = { method: 'GET', path: '/clock' };
  await expect(client.control(call)).rejects.toMatchObject({ status: 404, message: 'no card with id "x"' });
  await expect(client.control(call)).rejects.toMatchObject({ status: 409, message: 'it is locked' });
  expect(new RefusedError(400, 'x')).toBeInstanceOf(Error);
});

test('the control token, headers, query and body are sent', async () => {
  const sent: [string, RequestInit | undefined][] = [];
  const client = createClient({
    url: 'http://sandbox:1',
    controlToken: 'secret',
    fetch: async (url, init) => {
      sent.push([String(url), init]);
      return Response.json({}, { headers: { 'card-sandbox': 'control-plane' } });
    },
  });
  await client.control({ method: 'GET', path: '/requests', query: { status: '404' } });
  expect(sent).toEqual([
    [
      'http://sandbox:1/_sandbox/requests?status=404',
      { method: 'GET', headers: { authorization: 'Bearer secret' }, redirect: 'manual' },
    ],
  ]);
});

test('a server that is not a sandbox is unreachable', async () => {
  const call = { method: 'GET', path: '/clock' };
  const html = createClient({ url: 'http://x', fetch: async () => new Response('<html>') });
  await expect(html.control(call)).rejects.toBeInstanceOf(UnreachableError);
  const down = createClient({
    url: 'http://x',
    fetch: () =>
      Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }),
      ),
  });
  await expect(down.control(call)).rejects.toThrow('no sandbox answers at http://x (ENOTFOUND)');
});

test('a call that is aborted while its response arrives rejects with the reason, not as unreachable', async () => {
  const client = createClient({
    url: 'http://sandbox',
    fetch: async (_, init) => {
      const body = new ReadableStream({
        start: stream => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
      });
      return new Response(body, { headers: { 'card-sandbox': '1' } });
    },
  });
  const sends = [
    (signal: AbortSignal) => client.exchange(null, { method: 'GET', path: '/partner/cards', signal }),
    (signal: AbortSignal) => client.control({ method: 'GET', path: '/info', signal }),
  ];
  for (const send of sends) {
    const leave = new AbortController();
    const call = send(leave.signal);
    const reason = new Error('enough');
    leave.abort(reason);
    await expect(call).rejects.toBe(reason);
  }
});

test('a call that fails before it is sent rejects with the error that says why', async () => {
  const invalid = new TypeError('Headers.append: "Bearer a\nb" is an invalid header value.');
  const client = createClient({ url: 'http://x', fetch: () => Promise.reject(invalid) });
  await expect(client.control({ method: 'GET', path: '/clock' })).rejects.toBe(invalid);
});

test.each([
  '/../_sandbox/state',
  '/%2e%2e/_sandbox/stop',
  '/partner/.%2E/../_sandbox/state',
  '/.\t./_sandbox/state',
  '\\..\\_sandbox\\state',
  'http://127.0.0.1:1/v1/partner/cards',
  '//127.0.0.1:1/../partner/cards',
  '@127.0.0.1:1/v1/partner/cards',
])('the path %j is not sent, because it leaves its prefix', async path => {
  const sent: unknown[] = [];
  const client = createClient({
    url: 'http://sandbox:1',
    world: 'blue',
    fetch: async url => {
      sent.push(url);
      return Response.json({});
    },
  });
  await expect(client.exchange(ACME_KEY, { method: 'GET', path })).rejects.toThrow(UnsendableError);
  await expect(client.control({ method: 'GET', path })).rejects.toThrow(
    'below /_sandbox/worlds/blue that begins with /',
  );
  expect(sent).toEqual([]);
});
