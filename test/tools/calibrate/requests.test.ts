import { expect, test } from 'vitest';
import {
  OversizedResponseError,
  Service,
  ServiceUnavailableError,
} from '../../../src/tools/calibrate/service/service.ts';
import type { Exchange, ServiceCall } from '../../../src/tools/evidence.ts';
import { API_KEY, BASE_URL, fetchFrom, page, type Routes, refuse, reply } from './other-service.ts';

const NOW = 1_800_000_000_000;
const CARDS: ServiceCall = { method: 'GET', path: '/partner/cards' };

function service(
  routes: Routes,
  { names = {}, fetch = fetchFrom(routes), signal = new AbortController().signal } = {},
) {
  const waits: number[] = [];
  const exchanges: Exchange[] = [];
  let now = NOW;
  const created = new Service({
    baseUrl: BASE_URL,
    apiKey: API_KEY,
    names,
    signal,
    fetch,
    time: {
      now: () => now,
      async sleep(ms) {
        waits.push(ms);
        now += ms;
      },
    },
    onExchange: exchange => exchanges.push(exchange),
  });
  return { service: created, waits, exchanges };
}

/** Answers lists of cards in this order, and all further ones with a page. */
function inTurn(...replies: readonly ReturnType<typeof reply>[]): Routes {
  const left = [...replies];
  return { 'GET /partner/cards': () => left.shift() ?? page() };
}

const limit = (remaining: string, seconds: number) => ({
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': `${NOW / 1_000 + seconds}`,
});

test('a request waits for the end of a window that has no requests left', async () => {
  const { service: limited, waits } = service(
    inTurn(reply(200, {}, limit('1', 30)), reply(200, {}, limit('0', 30))),
  );
  await limited.get('/partner/cards');
  await limited.get('/partner/cards');
  expect(waits).toEqual([]);
  await limited.get('/partner/cards');
  expect(waits).toEqual([30_000]);
  await limited.get('/partner/cards');
  expect(waits).toEqual([30_000]);
});

test('no wait is longer than 65 seconds, and a window that has ended needs none', async () => {
  const far = service(inTurn(reply(200, {}, limit('0', 3_600))));
  await far.service.get('/partner/cards');
  await far.service.get('/partner/cards');
  expect(far.waits).toEqual([65_000]);
  for (const headers of [limit('0', 0), limit('0', -5), { 'x-ratelimit-remaining': '0' }]) {
    const { service: over, waits } = service(inTurn(reply(200, {}, headers)));
    await over.get('/partner/cards');
    await over.get('/partner/cards');
    expect(waits).toEqual([]);
  }
});

test('a 429 is repeated after Retry-After or a second, five times at most', async () => {
  const twice = service(inTurn(reply(429, {}, { 'retry-after': '7' }), reply(429)));
  expect((await twice.service.get('/partner/cards')).status).toBe(200);
  expect(twice.waits).toEqual([7_000, 1_000]);
  expect(twice.exchanges.map(({ status }) => status)).toEqual([200]);

  let count = 0;
  const always = service({
    'GET /partner/cards': () => {
      count += 1;
      return reply(429, {}, { 'retry-after': '2', ...limit('0', 50) });
    },
  });
  expect((await always.service.get('/partner/cards')).status).toBe(429);
  expect(count).toBe(5);
  expect(always.waits).toEqual([2_000, 2_000, 2_000, 2_000]);
});

test('an aborted signal stops requests and waits, but not a cleanup', async () => {
  const controller = new AbortController();
  const { service: stopped, exchanges } = service({}, { signal: controller.signal });
  controller.abort(new Error('stopped by the user'));
  await expect(stopped.get('/partner/cards')).rejects.toThrow('stopped by the user');
  await expect(stopped.page('https://service.example.com/pages/1')).rejects.toThrow('stopped by the user');
  expect(exchanges).toEqual([]);
  expect((await stopped.call(CARDS, true)).status).toBe(200);
});

test('a wait that is stopped sends nothing more', async () => {
  const controller = new AbortController();
  let count = 0;
  const { service: stopped } = service(
    {
      'GET /partner/cards': () => {
        count += 1;
        controller.abort(new Error('stopped by the user'));
        return refuse(429);
      },
    },
    { signal: controller.signal },
  );
  await expect(stopped.get('/partner/cards')).rejects.toThrow('stopped by the user');
  expect(count).toBe(1);
});

test('a service that cannot be reached is unavailable, with the reason', async () => {
  const failing =
    (error: Error): typeof fetch =>
    () =>
      Promise.reject(error);
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const { service: gone } = service({}, { fetch: failing(new TypeError('fetch failed', { cause })) });
  await expect(gone.get('/partner/cards')).rejects.toThrow(
    new ServiceUnavailableError(`no service responds at ${BASE_URL} (ECONNREFUSED)`),
  );
  const { service: silent } = service({}, { fetch: failing(new Error('timed out')) });
  await expect(silent.get('/partner/cards')).rejects.toThrow(
    `no service responds at ${BASE_URL} (Error: timed out)`,
  );
});

test('requests have the key of the partner, another one or none, under the name of the service', async () => {
  const keys: (string | null)[] = [];
  const routes: Routes = {
    'GET /partner/cards': ({ headers }) => {
      keys.push(headers.get('x-acme-api-key'));
      return reply(200, {});
    },
  };
  const { service: named } = service(routes, { names: { service: 'acme' } });
  for (const apiKey of [undefined, 'other', null])
    await named.call({ ...CARDS, ...(apiKey !== undefined && { apiKey }) });
  expect(keys).toEqual([API_KEY, 'other', null]);
  expect(named.headerName('X-Service-Signature')).toBe('X-Acme-Signature');
  expect(service({}).service.headerName('X-Service-Signature')).toBe('X-Service-Signature');
});

test('an exchange has the request, the status, the headers and the parsed body, or its text', async () => {
  const routes = inTurn(reply(201, { id: 'x' }, { 'x-a': 'b' }), reply(200, '<p>no JSON'), reply(200, ''));
  const { service: plain } = service(routes);
  expect(await plain.get('/partner/cards', { limit: '1' })).toEqual({
    request: { method: 'GET', path: '/partner/cards', query: { limit: '1' } },
    status: 201,
    headers: expect.objectContaining({ 'x-a': 'b' }),
    body: { id: 'x' },
  });
  expect((await plain.get('/partner/cards')).body).toBe('<p>no JSON');
  expect((await plain.get('/partner/cards')).body).toBeNull();
});

test('the evidence of a page has its length, and neither its text nor its path', async () => {
  const { service: pages } = service({
    'GET /pages/1': ({ headers }) => reply(203, `card ${headers.get('accept')}`),
  });
  expect(await pages.page('https://service.example.com/pages/1', { accept: 'a/b' })).toEqual({
    exchange: {
      request: { method: 'GET', path: 'https://service.example.com/***', headers: { accept: 'a/b' } },
      status: 203,
      headers: expect.anything(),
      body: '(8 characters, not shown)',
    },
    text: 'card a/b',
  });
  const huge = service({ 'GET /pages/1': reply(200, 'x'.repeat(4 * 1024 * 1024 + 1)) });
  await expect(huge.service.page('https://service.example.com/pages/1')).rejects.toThrow(
    OversizedResponseError,
  );
});
