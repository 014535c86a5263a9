import { expect, test } from 'vitest';
import { createCardholder } from '../../support/cardholders.ts';
import { ACME_KEY, GLOBEX_KEY, START, startSandbox } from '../../support/sandbox.ts';

const LIST = '/partner/cardholders';
const ROTATE = '/partners/partner_acme/keys/rotate';
const SETTINGS = '/partners/partner_acme/settings';
const withKey = (key: string) => ({ 'x-service-api-key': key });

test('a rotated key works until its grace period of 24 hours ends, to the millisecond', async () => {
  const sandbox = await startSandbox();
  const { api, control } = sandbox;
  const id = await createCardholder(sandbox);
  const { status, body } = await control('POST', ROTATE);
  expect(status).toBe(200);
  expect(body).toEqual({
    apiKey: expect.stringMatching(/^sk_test_\w+$/),
    previousKeyValidUntil: '2026-03-16T10:00:00.000Z',
  });
  expect((await api('GET', `${LIST}/${id}`, undefined, withKey(body.apiKey))).status).toBe(200);
  await control('POST', '/clock/advance', { duration: '86399999ms' });
  expect((await api('GET', LIST)).status).toBe(200);
  await control('POST', '/clock/advance', { duration: '1ms' });
  const late = await api('GET', LIST);
  expect(late.status).toBe(401);
  expect(late.body.error).toContain('grace period ended at 2026-03-16T10:00:00.000Z');
  expect(JSON.stringify(late.body)).not.toContain(ACME_KEY);
  expect((await api('GET', LIST, undefined, withKey(body.apiKey))).status).toBe(200);
  expect((await api('GET', LIST, undefined, withKey(GLOBEX_KEY))).status).toBe(200);
});

test('each of several rotated keys has its own grace period; none at all ends a key at once', async () => {
  const { api, control } = await startSandbox();
  const first = await control('POST', ROTATE, { gracePeriod: '1h' });
  const second = await control('POST', ROTATE, { gracePeriod: '0s' });
  expect(second.body.previousKeyValidUntil).toBe(START);
  const status = async (key: string) => (await api('GET', LIST, undefined, withKey(key))).status;
  expect(await status(ACME_KEY)).toBe(200);
  expect(await status(first.body.apiKey)).toBe(401);
  expect(await status(second.body.apiKey)).toBe(200);
  await control('POST', '/clock/advance', { duration: '1h' });
  expect(await status(ACME_KEY)).toBe(401);
  const [acme] = (await control('GET', '/partners')).body;
  expect(acme).toMatchObject({ id: 'partner_acme', apiKey: second.body.apiKey });
});

test('a rotation with an invalid period, or of an unknown partner, is refused', async () => {
  const { api, control } = await startSandbox();
  const wrong = await control('POST', ROTATE, { gracePeriod: 'a day' });
  expect(wrong.status).toBe(400);
  expect(wrong.body.error).toMatch(/^body\.gracePeriod: must be a duration/);
  const unknown = await control('POST', '/partners/partner_none/keys/rotate');
  expect(unknown).toMatchObject({
    status: 404,
    body: { error: 'no partner with id "partner_none", did you mean "partner_acme"?' },
  });
  const [acme] = (await control('GET', '/partners')).body;
  expect(acme.apiKey).toBe(ACME_KEY);
  expect((await api('GET', LIST)).status).toBe(200);
});

test('settings can be read, and a change keeps the omitted ones', async () => {
  const { control } = await startSandbox();
  const defaults = {
    ipAllowList: [],
    allowedOrigins: [],
    rateLimitPerMinute: 1000,
    lowThreshold: 0,
    alertThreshold: 0,
  };
  expect(await control('GET', SETTINGS)).toMatchObject({ status: 200, body: defaults });
  const change = { allowedOrigins: ['https://app.example'], alertThreshold: 12.34 };
  const changed = await control('PATCH', SETTINGS, change);
  expect(changed.status).toBe(200);
  expect(changed.body).toEqual({ ...defaults, ...change });
  const more = { ipAllowList: ['127.0.0.1', 'localhost', '203.0.113.0/24'], rateLimitPerMinute: 5 };
  expect((await control('PATCH', SETTINGS, more)).body).toEqual({ ...defaults, ...change, ...more });
  expect((await control('GET', SETTINGS)).body).toEqual({ ...defaults, ...change, ...more });
  expect((await control('GET', '/partners/partner_globex/settings')).body).toEqual(defaults);
});

test.each<[Record<string, unknown>, RegExp]>([
  [{ ipAllowList: ['8.8.8.8', '10.0.0.1'] }, /^body\.ipAllowList\.1: /],
  [{ ipAllowList: '8.8.8.8' }, /^body\.ipAllowList: must be a list$/],
  [{ allowedOrigins: ['app.example'] }, /^body\.allowedOrigins\.0: must be an origin with its scheme/],
  [{ allowedOrigins: ['https://app.example/'] }, /^body\.allowedOrigins\.0: must be an origin/],
  [{ allowedOrigins: ['https://*.example'] }, /^body\.allowedOrigins\.0: must be an origin/],
  [{ rateLimitPerMinute: -1 }, /^body\.rateLimitPerMinute: must be at least 0$/],
  [{ rateLimitPerMinute: 1.5 }, /^body\.rateLimitPerMinute: must be a whole number$/],
  [{ lowThreshold: 0.001 }, /^body\.lowThreshold: must be an amount/],
  [{ alertThreshold: null }, /^body\.alertThreshold: must be a number; leave it out instead of null$/],
])('the settings %j are refused, and nothing of the change is kept', async (change, error) => {
  const { control } = await startSandbox();
  const before = await control('GET', SETTINGS);
  const good = { lowThreshold: 5, rateLimitPerMinute: 7 };
  const reply = await control('PATCH', SETTINGS, { ...good, ...change });
  expect(reply).toMatchObject({ status: 400, body: { success: false } });
  expect(reply.body.error).toMatch(error);
  expect((await control('GET', SETTINGS)).body).toEqual(before.body);
});

test('the settings of an unknown partner are a 404', async () => {
  const { control } = await startSandbox();
  for (const method of ['GET', 'PATCH']) {
    const reply = await control(method, '/partners/partner_none/settings', method === 'GET' ? undefined : {});
    expect(reply).toMatchObject({
      status: 404,
      body: { error: 'no partner with id "partner_none", did you mean "partner_acme"?' },
    });
  }
});
