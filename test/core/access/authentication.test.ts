import { expect, test } from 'vitest';
import type { RequestLogEntry } from '../../../src/sandbox/log-entries.ts';
import { ACME_KEY, GLOBEX_KEY, startSandbox } from '../../support/sandbox.ts';

const simple = (error: RegExp) => ({ success: false, error: expect.stringMatching(error) });

test('a request without a key, or with an empty one, is a 401 that names the header', async () => {
  const { origin, api } = await startSandbox();
  const without = await fetch(`${origin}/v1/partner/cards`);
  expect(without.status).toBe(401);
  expect(await without.json()).toEqual(simple(/^header x-service-api-key is missing/));
  const empty = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': '' });
  expect(empty).toMatchObject({ status: 401, body: simple(/^header x-service-api-key is missing/) });
});

test.each([
  ['nobody', 'sk_test_nobody'],
  ['part of one', ACME_KEY.slice(0, -1)],
  ['one in capitals', ACME_KEY.toUpperCase()],
  ['a member of every object', '__proto__'],
  ['two at once', `${ACME_KEY}, ${GLOBEX_KEY}`],
])('an unknown key (%s) is a 401 that does not repeat it', async (_what, key) => {
  const { api } = await startSandbox();
  const response = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': key });
  expect(response).toMatchObject({ status: 401, body: simple(/unknown API key/) });
  expect(response.body.error).not.toContain(key);
});

test('the header name is case-insensitive', async () => {
  const { origin } = await startSandbox();
  const response = await fetch(`${origin}/v1/partner/cards`, { headers: { 'X-Service-API-Key': ACME_KEY } });
  expect(response.status).toBe(200);
});

test('without a key, the response does not reveal which paths exist or whether a body is valid', async () => {
  const { api } = await startSandbox();
  const headers = { 'x-service-api-key': '' };
  const replies = await Promise.all([
    api('GET', '/partner/nothing', undefined, headers),
    api('POST', '/partner/cards', '{', headers),
    api('GET', '/partner/cards?page=0', undefined, headers),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('a rotated key works until its grace period ends, the new key from the start', async () => {
  const { api, control } = await startSandbox();
  const rotated = await control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod: '1h' });
  expect(rotated).toMatchObject({
    status: 200,
    body: {
      apiKey: expect.stringMatching(/^sk_test_/),
      previousKeyValidUntil: '2026-03-15T11:00:00.000Z',
    },
  });
  const fresh = { 'x-service-api-key': rotated.body.apiKey };
  const statuses = async () => [
    (await api('GET', '/partner/cards')).status,
    (await api('GET', '/partner/cards', undefined, fresh)).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  await control('POST', '/clock/advance', { duration: '3599999ms' });
  expect(await statuses()).toEqual([200, 200]);
  await control('POST', '/clock/advance', { duration: '1ms' });
  expect(await statuses()).toEqual([401, 200]);
  const { body } = await api('GET', '/partner/cards');
  expect(body).toEqual(simple(/grace period ended at 2026-03-15T11:00:00\.000Z/));
});

test('the default grace period is 24 h, and 0s ends the old key at once', async () => {
  const { api, control } = await startSandbox();
  const { body } = await control('POST', '/partners/partner_globex/keys/rotate');
  expect(body.previousKeyValidUntil).toBe('2026-03-16T10:00:00.000Z');
  await control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod: '0s' });
  expect((await api('GET', '/partner/cards')).status).toBe(401);
});

test('a live key is a 401 that names the problem', async () => {
  const { api } = await startSandbox();
  const response = await api('GET', '/partner/cards', undefined, { 'x-service-api-key': 'sk_live_abc' });
  expect(response).toMatchObject({ status: 401, body: simple(/live keys do not belong in a sandbox/) });
  expect(response.body.error).not.toContain('sk_live_abc');
});

const LIVE_KEY = 'sk_live_9f8e7d.c6b5a4';
const CONTENT_TYPE = { 'content-type': `text/${LIVE_KEY}` };

test.each<[string, string, string, unknown, Record<string, string>]>([
  ['the key header', 'GET', '/partner/cards', undefined, { 'x-service-api-key': LIVE_KEY }],
  ['an unknown path', 'GET', `/partner/${LIVE_KEY}`, undefined, {}],
  ['an encoded id in the path', 'GET', '/partner/cards/%zz-sk_l%69ve%5F9f8e7d.c6b5a4', undefined, {}],
  ['an encoded query', 'GET', '/partner/cards?a=sk%5flive_9f8e7d.c6b5a4', undefined, {}],
  ['an id in the path', 'GET', `/partner/cards/${LIVE_KEY}`, undefined, {}],
  ['the query', 'GET', `/partner/cards?q=${LIVE_KEY}&${LIVE_KEY}=1&cardholderId=${LIVE_KEY}`, undefined, {}],
  ['a body', 'POST', '/partner/cards', { cardholderId: LIVE_KEY, cardProgramId: 'x', [LIVE_KEY]: 1 }, {}],
  ['a broken body', 'POST', '/partner/cards', `{"cardholderId":"${LIVE_KEY}`, {}],
  ['the content type', 'POST', '/partner/cards', '{}', CONTENT_TYPE],
])('a live key in %s is in no journal and no log', async (_where, method, path, body, headers) => {
  const log: RequestLogEntry[] = [];
  const { api, control } = await startSandbox({}, { onResponse: entry => log.push(entry) });
  await api(method, path, body, headers);
  const { body: journal } = await control('GET', '/requests');
  expect(journal).toHaveLength(1);
  expect(log).toHaveLength(1);
  expect(JSON.stringify({ log, journal })).not.toMatch(/9f8e7d|c6b5a4/);
});
