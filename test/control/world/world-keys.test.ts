import { expect, test } from 'vitest';
import { fakeReceiver } from '../../support/receiver.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { newWorld } from '../../support/worlds.ts';

/** The keys of all worlds, by the id of the world. Each must be answered by its own world alone. */
async function keysOf({ control }: TestSandbox): Promise<Record<string, string[]>> {
  const { body } = await control('GET', '/worlds');
  return Object.fromEntries(
    body.map(({ id, partners }: Json) => [id, partners.map(({ apiKey }: Json) => apiKey)]),
  );
}

async function statusOf({ api }: TestSandbox, key: string): Promise<number> {
  return (await api('GET', '/partner/balance', undefined, { 'x-service-api-key': key })).status;
}

/** Fails unless every key of the server is unique, and works in its own world and in no other. */
async function expectUnique(sandbox: TestSandbox): Promise<void> {
  const byWorld = await keysOf(sandbox);
  const all = Object.values(byWorld).flat();
  expect(new Set(all).size).toBe(all.length);
  const count = async (id: string) =>
    (await sandbox.control('GET', `/worlds/${id}/requests/count`)).body.count;
  for (const [id, keys] of Object.entries(byWorld)) {
    const before = await count(id);
    for (const key of keys) expect(await statusOf(sandbox, key)).toBe(200);
    expect(await count(id)).toBe(before + keys.length);
  }
}

test('keys are unique in the server and stay those of their partner, whatever replaces the state of a world', async () => {
  const sandbox = await startSandbox();
  const [a, b] = [await newWorld(sandbox, { id: 'a' }), await newWorld(sandbox, { id: 'b', seed: 7 })];
  const first = await keysOf(sandbox);
  expect(first.main).toEqual([ACME_KEY, GLOBEX_KEY]);
  for (const { control } of [a, b]) await control('POST', '/checkpoints/start');
  for (const path of ['/reset', '/checkpoints/start/restore']) {
    await a.control('POST', path);
    expect(await keysOf(sandbox)).toEqual(first);
  }
  await a.control('PUT', '/state', (await a.control('GET', '/state')).body);
  expect(await keysOf(sandbox)).toEqual(first);
  await expectUnique(sandbox);
  // The state of another world brings keys, which are replaced.
  await a.control('PUT', '/state', (await b.control('GET', '/state')).body);
  await b.control('PUT', '/state', (await sandbox.control('GET', '/state')).body);
  await expectUnique(sandbox);
  await sandbox.control('PUT', '/state', (await b.control('GET', '/state')).body);
  await expectUnique(sandbox);
  await sandbox.control('POST', '/reset');
  expect((await keysOf(sandbox)).main).toEqual([ACME_KEY, GLOBEX_KEY]);
  await a.control('POST', '/reset');
  await b.control('POST', '/reset');
  expect(await keysOf(sandbox)).toEqual(first);
});

test('rotated and added keys of two worlds of one seed differ, also from those of main', async () => {
  const sandbox = await startSandbox();
  const worlds = [await newWorld(sandbox, { id: 'a' }), await newWorld(sandbox, { id: 'b' }), sandbox];
  for (const { control } of worlds) {
    await control('POST', '/partners/partner_acme/keys/rotate', { gracePeriod: '0s' });
    await control('POST', '/partners', {});
  }
  await newWorld(sandbox, { id: 'copy', from: 'a' });
  await expectUnique(sandbox);
  expect(Object.values(await keysOf(sandbox)).map(({ length }) => length)).toEqual([3, 3, 3, 3]);
  expect(await statusOf(sandbox, ACME_KEY)).toBe(401);
  expect(await statusOf(sandbox, GLOBEX_KEY)).toBe(200);
});

test('a key of a world that ended is a plain 401, also when another world gets its id', async () => {
  const sandbox = await startSandbox();
  const { keys } = await newWorld(sandbox, { id: 'a' });
  const document = (await sandbox.control('GET', '/worlds/a/state')).body;
  await sandbox.control('DELETE', '/worlds/a');
  const again = await newWorld(sandbox, { id: 'a' });
  const loaded = await newWorld(sandbox, { id: 'loaded', state: document });
  for (const key of keys) {
    expect([...again.keys, ...loaded.keys]).not.toContain(key);
    const refused = await sandbox.api('GET', '/partner/balance', undefined, { 'x-service-api-key': key });
    expect(refused.status).toBe(401);
    expect(refused.body.error).toMatch(/unknown API key/);
    const { body: entry } = await sandbox.control(
      'GET',
      `/requests/${refused.headers.get('x-sandbox-request')}`,
    );
    expect(entry.hints).toEqual([]);
  }
  await expectUnique(sandbox);
});

test('a key that its world no longer has is refused by that world, and main does not see it', async () => {
  const sandbox = await startSandbox();
  const { control, keys } = await newWorld(sandbox, { id: 'a' });
  const { body: rotated } = await control('POST', '/partners/partner_acme/keys/rotate', {});
  await control('POST', '/reset');
  expect(await statusOf(sandbox, rotated.apiKey)).toBe(401);
  expect((await sandbox.control('GET', '/requests')).body).toEqual([]);
  expect((await control('GET', '/requests')).body).toMatchObject([{ status: 401 }]);
  expect(await statusOf(sandbox, keys[0] ?? '')).toBe(200);
});

test('a world gets no key that main has, as from the state of an earlier server', async () => {
  const earlier = await startSandbox();
  const { state } = await newWorld(earlier, { id: 'a' });
  const document = JSON.parse(await state());
  const loaded = await startSandbox();
  await loaded.control('PUT', '/state', document);
  await newWorld(loaded);
  await expectUnique(loaded);
  const restored = await startSandbox();
  await restored.control('PUT', '/state', document);
  await restored.control('POST', '/checkpoints/foreign');
  await restored.control('POST', '/reset');
  await newWorld(restored);
  await restored.control('POST', '/checkpoints/foreign/restore');
  await expectUnique(restored);
});

test('a refused creation does not change the keys of later worlds', async () => {
  const keys = [];
  for (const refused of [0, 3]) {
    const sandbox = await startSandbox();
    for (let count = 0; count < refused; count++) {
      expect((await sandbox.control('POST', '/worlds', { seed: -1 })).status).toBe(400);
      expect((await sandbox.control('POST', '/worlds', { fixtures: ['none'] })).status).toBe(400);
    }
    keys.push((await newWorld(sandbox)).keys);
  }
  expect(keys[1]).toEqual(keys[0]);
});

test('secrets that nobody is to compute differ between worlds of one seed', async () => {
  const secretKey = '0123456789abcdef'.repeat(4);
  const forwardTo = 'http://127.0.0.1:1/';
  const sandbox = await startSandbox({ forwardTo }, { secretKey, transport: fakeReceiver().transport });
  for (const id of ['a', 'b']) await newWorld(sandbox, { id });
  const { body } = await sandbox.control('GET', '/worlds');
  const secrets = body.map(({ webhookSecrets }: Json) => webhookSecrets.partner_acme);
  expect(secrets).toEqual(Array(3).fill(expect.stringMatching(/^whsec_/)));
  expect(new Set(secrets).size).toBe(3);
  // A copy goes on with the secrets of its source, so that what was signed before stays valid.
  const copy = await sandbox.control('POST', '/worlds', { from: 'a' });
  expect(copy.body.webhookSecrets.partner_acme).toBe(secrets[1]);
});
