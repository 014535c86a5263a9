import { expect, test } from 'vitest';
import { manualTime } from '../../support/manual-time.ts';
import { type Reply, startSandbox } from '../../support/sandbox.ts';

/** Half a second past a full second, so that rounding is visible. */
const WALL_START = 1_000_000_000_500;

const limits = ({ headers }: Reply) => ({
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
  reset: headers.get('x-ratelimit-reset'),
});

test('of 1,001 requests in a minute, the 1,000th passes with 0 remaining and the last is a 429', async () => {
  const { realTime } = manualTime(WALL_START);
  const { api } = await startSandbox({}, { realTime });
  for (let batch = 0; batch < 37; batch++) {
    await Promise.all(Array.from({ length: 27 }, () => api('GET', '/partner/cards')));
  }
  const last = await api('GET', '/partner/cards');
  expect(last.status).toBe(200);
  expect(limits(last)).toEqual({ limit: '1000', remaining: '0', reset: '1000000061' });
  expect(last.headers.get('retry-after')).toBeNull();
  const over = await api('GET', '/partner/cards');
  expect(over).toMatchObject({
    status: 429,
    body: { success: false, error: 'rate limit of 1000 requests per minute exceeded; retry in 60 s' },
  });
  expect(limits(over)).toEqual({ limit: '1000', remaining: '0', reset: '1000000061' });
  expect(over.headers.get('retry-after')).toBe('60');
});

test('every authenticated response has the three headers, refusals included; a 401 has none', async () => {
  const { realTime } = manualTime(WALL_START);
  const { api } = await startSandbox({}, { realTime });
  const responses = [
    await api('GET', '/partner/cards'),
    await api('HEAD', '/partner/cards'),
    await api('GET', '/partner/nothing'),
    await api('GET', '/partner/cards/nothing'),
    await api('GET', '/partner/cards?page=0'),
    await api('POST', '/partner/cards', '{'),
    await api('DELETE', '/partner/cards'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 404, 400, 400, 404]);
  expect(responses.map(limits)).toEqual(
    responses.map((_, index) => ({ limit: '1000', remaining: String(999 - index), reset: '1000000061' })),
  );
  const refused = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': 'sk_test_wrong' });
  expect(refused.status).toBe(401);
  expect(limits(refused)).toEqual({ limit: null, remaining: null, reset: null });
  expect(limits(await api('GET', '/partner/cards')).remaining).toBe('992');
});

test('a wall clock that is set back starts a new window', async () => {
  let wall = WALL_START;
  const { api } = await startSandbox(
    { rateLimit: 1 },
    { realTime: { ...manualTime().realTime, now: () => wall } },
  );
  expect((await api('GET', '/partner/cards')).status).toBe(200);
  expect((await api('GET', '/partner/cards')).status).toBe(429);
  wall -= 3_600_000;
  expect((await api('GET', '/partner/cards')).status).toBe(200);
});

test('a 429 changes nothing', async () => {
  const { api, control } = await startSandbox({ rateLimit: 1 });
  const url = { webhookUrl: 'https://hooks.example/', webhookSecret: 'a-secret-of-16-characters' };
  expect((await api('GET', '/partner/cards')).status).toBe(200);
  expect((await api('PATCH', '/partner/webhooks/config', url)).status).toBe(429);
  await control('POST', '/clock/advance', { duration: '60s' });
  expect((await api('GET', '/partner/webhooks/config')).body.webhookUrl).toBeNull();
});

test('each key has its own window, including a second key of the same partner', async () => {
  const { api, globex, control } = await startSandbox({ rateLimit: 1 });
  const { body } = await control('POST', '/partners/partner_acme/keys/rotate');
  const second = { 'x-service-api-key': body.apiKey };
  expect((await api('GET', '/partner/cards')).status).toBe(200);
  expect((await api('GET', '/partner/cards')).status).toBe(429);
  expect((await api('GET', '/partner/cards', undefined, second)).status).toBe(200);
  expect((await api('GET', '/partner/cards', undefined, second)).status).toBe(429);
  expect((await globex('GET', '/partner/cards')).status).toBe(200);
});

test('the window is fixed: it ends 60 s of wall time after its first request', async () => {
  const { realTime, pass } = manualTime(WALL_START);
  const { api } = await startSandbox({ rateLimit: 2 }, { realTime });
  const first = await api('GET', '/partner/cards');
  pass(40_000);
  const second = await api('GET', '/partner/cards');
  expect([first, second].map(limits)).toEqual([
    { limit: '2', remaining: '1', reset: '1000000061' },
    { limit: '2', remaining: '0', reset: '1000000061' },
  ]);
  expect((await api('GET', '/partner/cards')).headers.get('retry-after')).toBe('20');
  pass(19_999);
  const late = await api('GET', '/partner/cards');
  expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
  pass(1);
  const fresh = await api('GET', '/partner/cards');
  expect(fresh.status).toBe(200);
  expect(limits(fresh)).toEqual({ limit: '2', remaining: '1', reset: '1000000121' });
});

test('advances of 60 s in total end the window, in one step or in several', async () => {
  const { realTime } = manualTime(WALL_START);
  const { api, control } = await startSandbox({ rateLimit: 1 }, { realTime });
  const status = async () => (await api('GET', '/partner/cards')).status;
  expect([await status(), await status()]).toEqual([200, 429]);
  await control('POST', '/clock/advance', { duration: '59s' });
  expect(await status()).toBe(429);
  await control('POST', '/clock/advance', { duration: '1s' });
  expect([await status(), await status()]).toEqual([200, 429]);
  await control('POST', '/clock/advance', { duration: '24h' });
  expect(await status()).toBe(200);
});

test("the partner's setting applies from the next request on", async () => {
  const { api, globex, control } = await startSandbox({ rateLimit: 3 });
  const set = (rateLimitPerMinute: number) =>
    control('PATCH', '/partners/partner_acme/settings', { rateLimitPerMinute });
  expect(limits(await api('GET', '/partner/cards'))).toMatchObject({ limit: '3', remaining: '2' });
  await set(2);
  expect(limits(await api('GET', '/partner/cards'))).toMatchObject({ limit: '2', remaining: '0' });
  expect((await api('GET', '/partner/cards')).status).toBe(429);
  expect(limits(await globex('GET', '/partner/cards'))).toMatchObject({ limit: '3', remaining: '2' });
  await set(0);
  const unlimited = await api('GET', '/partner/cards');
  expect(unlimited.status).toBe(200);
  expect(limits(unlimited)).toEqual({ limit: null, remaining: null, reset: null });
});

test('with the limit off, nothing is counted and no header is sent', async () => {
  const { api } = await startSandbox({ rateLimit: 0 });
  const responses = await Promise.all(Array.from({ length: 30 }, () => api('GET', '/partner/cards')));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(responses.map(limits)).toEqual(responses.map(() => ({ limit: null, remaining: null, reset: null })));
});

test('preflights and control requests do not count', async () => {
  const { origin, api, control } = await startSandbox({ rateLimit: 1 });
  for (let call = 0; call < 3; call++) {
    await fetch(`${origin}/v1/partner/cards`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    });
    await control('GET', '/clock');
  }
  expect((await api('GET', '/partner/cards')).status).toBe(200);
});

test.each([-1, 1.5, 1_000_001, '10', null])('the setting rateLimitPerMinute %j is refused', async value => {
  const { control } = await startSandbox();
  const response = await control('PATCH', '/partners/partner_acme/settings', { rateLimitPerMinute: value });
  expect(response).toMatchObject({
    status: 400,
    body: { success: false, error: expect.stringMatching(/^body\.rateLimitPerMinute: must be /) },
  });
});
