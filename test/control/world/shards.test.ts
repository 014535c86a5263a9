import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { OptionError } from '../../../src/sandbox/options.ts';
import { newCardholder, START, startSandbox } from '../../support/sandbox.ts';

const MAIN_KEY = 'sk_test_a_acme_0123456789abcdef';
const keyOf = (apiKey: string) => ({ 'x-service-api-key': apiKey });

test('each world id, key and token of a shard contains its name', async () => {
  const token = 'token-of-the-server';
  const sandbox = await startSandbox({ shard: 'a' }, {}, { controlToken: token, requireToken: true });
  const { control } = sandbox;
  const bearer = { authorization: `Bearer ${token}` };
  const create = async (body: object) => (await control('POST', '/worlds', body, bearer)).body;
  const worlds = [
    await create({}),
    await create({ id: 'blue' }),
    await create({ id: 'a-red' }),
    await create({ id: 'ab', fixtures: ['starter'] }),
    await create({ id: 'copy', from: 'a-blue' }),
  ];
  expect(worlds.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^a-world_\w{8}$/),
    ...['a-blue', 'a-red', 'a-ab', 'a-copy'],
  ]);
  for (const { id, token, partners } of worlds) {
    expect(token).toMatch(/^wt_a_[\da-f]{32}$/);
    expect(partners[0].apiKey).toMatch(/^sk_test_a_\w{24}$/);
    const { body } = await control('POST', `/worlds/${id}/token`, undefined, bearer);
    expect(body.token).toMatch(/^wt_a_[\da-f]{32}$/);
    const rotated = await control('POST', `/worlds/${id}/partners/${partners[0].id}/keys/rotate`, {}, bearer);
    expect(rotated.body.apiKey).toMatch(/^sk_test_a_/);
    const added = await control('POST', `/worlds/${id}/partners`, {}, bearer);
    expect(added.body.apiKey).toMatch(/^sk_test_a_/);
    expect((await sandbox.api('GET', '/partner/cards', undefined, keyOf(added.body.apiKey))).status).toBe(
      200,
    );
  }
  expect((await control('POST', '/worlds', { id: 'blue' }, bearer)).body.error).toContain('"a-blue" already');
  expect((await control('POST', '/worlds', { id: 'main' }, bearer)).body.error).toContain('"a-main" already');
});

test('keys of main contain the name, before and after a reset, a rotation and a state of another process', async () => {
  const { api, control } = await startSandbox({ shard: 'a', fixtures: ['starter'] });
  const keys = async () =>
    (await control('GET', '/info')).body.partners.map(({ apiKey }: { apiKey: string }) => apiKey);
  expect(await keys()).toEqual([MAIN_KEY, 'sk_test_a_globex_0123456789abcdef']);
  expect((await api('GET', '/partner/balance', undefined, keyOf(MAIN_KEY))).status).toBe(200);
  expect((await api('GET', '/partner/balance')).status, 'the key of the fixture').toBe(401);
  await control('POST', '/reset');
  expect(await keys()).toEqual([MAIN_KEY, 'sk_test_a_globex_0123456789abcdef']);
  const other = await startSandbox({ shard: 'b', fixtures: ['starter'] });
  await control('PUT', '/state', (await other.control('GET', '/state')).body);
  for (const key of await keys()) expect(key).toMatch(/^sk_test_a_b_/);
  const { body } = await control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod: '0s' });
  expect(body.apiKey).toMatch(/^sk_test_a_\w{24}$/);
});

test('two shards of one seed have no key in common, and a key of the other is unknown', async () => {
  const start = async (shard: string) => {
    const sandbox = await startSandbox({ shard, fixtures: ['starter'], seed: 7 });
    const { body } = await sandbox.control('POST', '/worlds', { id: 'blue' });
    const { body: info } = await sandbox.control('GET', '/info');
    return { sandbox, keys: [...info.partners, ...body.partners].map(({ apiKey }) => apiKey) };
  };
  const [a, b] = [await start('a'), await start('b')];
  expect(new Set([...a.keys, ...b.keys]).size).toBe(a.keys.length + b.keys.length);
  for (const key of b.keys) {
    expect((await a.sandbox.api('GET', '/partner/cards', undefined, keyOf(key))).status).toBe(401);
    expect((await b.sandbox.api('GET', '/partner/cards', undefined, keyOf(key))).status).toBe(200);
  }
  const { body: refused } = await a.sandbox.control('GET', '/worlds/a-blue/requests');
  expect(refused, 'a key of another shard is refused in main').toEqual([]);
});

test('links of a shard name it, also those of main', async () => {
  const sandbox = await startSandbox({ shard: 'a', fixtures: ['starter'], clock: START });
  const { body: blue } = await sandbox.control('POST', '/worlds', { id: 'blue', fixtures: ['starter'] });
  for (const [world, apiKey] of [
    ['a-main', MAIN_KEY],
    ['a-blue', blue.partners[0].apiKey],
  ]) {
    const as = (method: string, path: string, body?: unknown) =>
      sandbox.api(method, path, body, keyOf(apiKey));
    const { body: link } = await as('POST', '/partner/cards/card_mia_active/reveal-html', {});
    const { body: session } = await as('POST', '/partner/kyc-sessions', {});
    for (const url of [link.accessUrl, session.url]) {
      expect(new URL(url).searchParams.get('world')).toBe(world);
      expect((await fetch(url)).status).toBe(200);
    }
    const form = new URLSearchParams({ decision: 'reject' });
    expect((await fetch(session.url, { method: 'POST', body: form, redirect: 'manual' })).status).toBe(303);
    expect((await as('GET', `/partner/kyc-sessions/${session.id}`)).body.status).toBe('rejected');
  }
  const { body: main } = await sandbox.control('GET', '/info');
  expect(main.dashboardUrl).toBe(`${sandbox.origin}/dashboard/a-main`);
  const { body: listed } = await sandbox.control('GET', '/worlds');
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(['a-main', 'a-blue']);
  expect(listed[0].controlUrl).toBe(`${sandbox.origin}/_sandbox/worlds/a-main`);
});

test('the control plane of a shard is below its name; another name is a 404', async () => {
  const { control, api } = await startSandbox({ shard: 'a' });
  const { body: created } = await control('POST', '/shards/a/worlds', { id: 'blue' });
  expect(created.id).toBe('a-blue');
  await api('POST', '/partner/cardholders', newCardholder(), keyOf(created.partners[0].apiKey));
  expect((await control('GET', '/shards/a/info')).body).toEqual((await control('GET', '/info')).body);
  expect((await control('GET', '/shards/a/worlds')).body).toHaveLength(2);
  expect((await control('GET', '/shards/a/worlds/a-blue/cardholders')).body).toHaveLength(1);
  expect((await control('GET', '/worlds/a-main/clock')).status).toBe(200);
  expect((await control('GET', '/shards/a/health')).body.status).toBe('ok');
  for (const path of ['/info', '/health', '/worlds', '/worlds/a-blue', '/worlds/a-blue/clock', '/reset']) {
    const { status, body } = await control(path === '/reset' ? 'POST' : 'GET', `/shards/b${path}`);
    expect([path, status, body]).toEqual([
      ...[path, 404],
      { success: false, error: 'no shard "b"; this is the shard "a"' },
    ]);
  }
  expect((await control('GET', '/shards/a/nothing')).status).toBe(404);
  const single = await startSandbox();
  const { status, body } = await single.control('GET', '/shards/a/info');
  expect([status, body.error]).toEqual([404, 'no shard "a"; this sandbox was started without --shard']);
});

test.each(['', 'A', '1a', 'a-b', 'a_b', 'abcdefghi', 'ä', 'acme', 'globex', 'hasty'])(
  '%j is not the name of a shard',
  name => {
    expect(() => createSandbox({ shard: name })).toThrow(OptionError);
  },
);

test.each(['a', 'abcdefgh', 'z9'])('%j is the name of a shard', name => {
  expect(createSandbox({ shard: name }).apiKey).toBe(`sk_test_${name}_acme_0123456789abcdef`);
});
