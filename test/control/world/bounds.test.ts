import { expect, test } from 'vitest';
import { MAX_KEYS } from '../../../src/core/access/partners.ts';
import { RateLimiter } from '../../../src/core/access/rate-limit.ts';
import { createSandbox } from '../../../src/index.ts';
import { MAX_REVEAL_LINKS } from '../../../src/service/reveal/rules.ts';
import { MAX_CHALLENGES } from '../../../src/service/three-d-secure/rules.ts';
import { startInProcess } from '../../support/in-process.ts';
import { manualTime } from '../../support/manual-time.ts';
import { ACME_KEY, type Json } from '../../support/sandbox.ts';
import { createWorld } from '../../support/worlds.ts';

const MOST_FAULTS = 1_000;
const repeat = async (times: number, task: () => Promise<unknown>) => {
  for (let count = 0; count < times; count++) await task();
};

test('beyond 1,000 reveal links, used and expired ones are removed and remain a 410', async () => {
  await using sandbox = createSandbox({ rateLimit: 0 });
  const ask = async (method: string, path: string): Promise<Json> =>
    (await sandbox.fetch(path, { method, headers: { 'x-service-api-key': ACME_KEY } })).json();
  const { data } = await ask('GET', '/v1/partner/cards?status=active');
  const newLink = async (): Promise<string> =>
    (await ask('POST', `/v1/partner/cards/${data[0].id}/reveal-html`)).accessUrl;
  const visit = async (url: string) => {
    const page = await sandbox.fetch(url);
    return [page.status, /<h1[^>]*>(.*?)</.exec(await page.text())?.[1]];
  };
  const kept = async () => (await ask('GET', '/_sandbox/state')).tables.revealLinks.length;
  const [good, used, late] = [await newLink(), await newLink(), await newLink()];
  expect(await visit(used)).toEqual([200, 'Card details']);
  await repeat(MAX_REVEAL_LINKS - 2, newLink);
  expect(await kept()).toBe(MAX_REVEAL_LINKS);
  expect(await visit(used)).toEqual([410, 'This link is no longer valid']);
  await repeat(5, newLink);
  expect(await kept(), 'those that are still good stay').toBe(MAX_REVEAL_LINKS + 5);
  expect(await visit(good)).toEqual([200, 'Card details']);
  await sandbox.clock.advance('60s');
  expect(await visit(late)).toEqual([410, 'This link has expired']);
  await repeat(5, newLink);
  expect(await kept()).toBe(MAX_REVEAL_LINKS + 5);
});

test('beyond 1,000 keys, those that no longer work are removed', async () => {
  const { send, control } = startInProcess();
  const rotate = async (gracePeriod: string): Promise<string> =>
    (await control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod })).body.apiKey;
  const refusal = async (key: string) => (await send(key, 'GET', '/partner/cards')).body.error;
  const early = await rotate('24h');
  const late = await rotate('0s');
  expect(await refusal(early)).toContain('its grace period ended');
  await repeat(MAX_KEYS, () => rotate('0s'));
  const current = await rotate('0s');
  const { tables } = (await control('GET', '/state')).body;
  expect(
    tables.apiKeys.filter((row: { partnerId: string }) => row.partnerId === 'partner_acme'),
  ).toHaveLength(MAX_KEYS);
  for (const key of [early, late]) expect(await refusal(key)).toContain('unknown API key');
  expect(await refusal(current)).toBeUndefined();
  expect((await send(ACME_KEY, 'GET', '/partner/cards')).status).toBe(200);
  expect((await control('PUT', '/state', (await control('GET', '/state')).body)).status).toBe(204);
});

test('beyond 1,000 3-D Secure challenges, completed ones are removed', async () => {
  const { control } = startInProcess({ fixtures: ['starter'] });
  const start = async (): Promise<string> =>
    (await control('POST', '/cards/card_mia_active/3ds', {})).body.challengeId;
  const verify = async (id: string) => (await control('POST', `/3ds/${id}/verify`, { otp: 'wrong' })).body;
  const [failed, waiting] = [await start(), await start()];
  for (const _ of [1, 2, 3]) await verify(failed);
  await repeat(MAX_CHALLENGES - 2, start);
  expect(await verify(failed)).toMatchObject({ status: 'failed' });
  await start();
  expect(await verify(failed)).toMatchObject({ success: false, error: expect.stringContaining(failed) });
  expect(await verify(waiting)).toMatchObject({ status: 'pending' });
  await start();
  const kept = async () => (await control('GET', '/state')).body.counts.challenges;
  expect(await kept()).toBe(MAX_CHALLENGES + 1);
  await control('POST', '/clock/advance', { duration: '60s' });
  await start();
  expect(await kept()).toBe(MAX_CHALLENGES + 1);
});

test('a new fault replaces the oldest one that is used up where there are 1,000', async () => {
  const { api, control } = startInProcess();
  const arm = async (times: number) => (await control('POST', '/faults', { status: 503, times })).body.id;
  const [first, second, third] = [await arm(1), await arm(1), await arm(2)];
  for (const _ of [1, 2, 3]) expect(api('GET', '/partner/cards').status).toBe(503);
  await repeat(MOST_FAULTS - 3, () => arm(1));
  const ids = async () =>
    (await control('GET', '/faults')).body.map(({ id }: { id: string }) => id).slice(0, 2);
  expect(await ids()).toEqual([first, second]);
  await arm(1);
  expect(await ids()).toEqual([second, third]);
  await arm(1);
  expect((await control('POST', '/faults', { status: 503 })).status, 'the third acts once more').toBe(400);
  expect((await control('GET', '/faults')).body).toHaveLength(MOST_FAULTS);
});

test('a new webhook fault replaces the oldest one that is used up where there are 1,000', async () => {
  const { api, control } = startInProcess();
  api('PATCH', '/partner/webhooks/config', {
    webhookUrl: 'https://hooks.example/',
    webhookSecret: 'a-secret-of-16-characters',
    subscribedEvents: ['balance.top_up'],
  });
  const add = () => control('POST', '/webhook-faults', { kind: 'drop', times: 1 });
  const { body: first } = await add();
  await control('POST', '/balance/top-up', { amount: 1 });
  await control('POST', '/deliveries/settle');
  await repeat(MOST_FAULTS - 1, add);
  expect((await control('GET', '/webhook-faults')).body[0]).toEqual({ ...first, hits: 1 });
  expect((await add()).status).toBe(201);
  const { body: kept } = await control('GET', '/webhook-faults');
  expect([kept.length, kept[0].hits]).toEqual([MOST_FAULTS, 0]);
  expect(await add()).toEqual({
    status: 400,
    body: {
      success: false,
      error: 'there are already 1000 webhook faults; DELETE /_sandbox/webhook-faults clears them',
    },
  });
});

test('rate-limit windows are removed once they have ended, by wall time or by an advance', async () => {
  const { realTime, pass } = manualTime(1);
  const { clock } = createWorld();
  const limiter = new RateLimiter(clock, realTime);
  const open = (prefix: string, count: number) => {
    for (let number = 0; number < count; number++) limiter.take(`${prefix}${number}`, 10, {});
  };
  open('a', 100);
  pass(30_000);
  open('b', 100);
  expect(limiter.size).toBe(200);
  pass(30_000);
  open('c', 1);
  expect(limiter.size).toBe(101);
  const headers: Record<string, string> = {};
  limiter.take('b0', 10, headers);
  expect(headers['X-RateLimit-Remaining'], 'an open window goes on').toBe('8');
  await clock.advance(60_000);
  open('d', 1);
  expect(limiter.size).toBe(1);
});
