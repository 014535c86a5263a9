import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realTime } from '../../../src/core/time/realtime.ts';
import { newCardholder } from '../../support/sandbox.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';
import { startInFolder } from './support-folder.ts';

const CARD = '/cards/card_mia_active';

/** A folder that a sandbox with the worlds `blue` and `green` has left. */
async function leftFolder(options = {}) {
  const folder = temporaryFolder();
  const first = startInFolder(folder, options);
  const { body: blue } = await first.control('POST', '/worlds', { id: 'blue' });
  const { body: green } = await first.control('POST', '/worlds', { id: 'green', seed: 7 });
  const keys = { blue: blue.partners[0].apiKey, green: green.partners[0].apiKey };
  await first.api(keys.blue, 'POST', `${CARD}/freeze`);
  await first.stop();
  return { folder, keys };
}

test('each world has a file, and after a restart it answers as before to the same keys and links', async () => {
  const folder = join(temporaryFolder(), 'deep/worlds');
  const first = startInFolder(folder);
  const created = await first.control('POST', '/worlds', {
    id: 'blue',
    kycDelay: '1h',
    ttl: '2h',
    freeze: true,
  });
  const [{ apiKey }] = created.body.partners;
  await first.api(apiKey, 'POST', '/cardholders', newCardholder());
  await first.control('POST', '/worlds/blue/clock/advance', { duration: '90s' });
  await first.control('PUT', '/worlds/blue/forwarding', { url: 'http://127.0.0.1:1/hooks' });
  const link = (await first.api(apiKey, 'POST', `${CARD}/reveal-html`, {})).body.accessUrl;
  const { pathname, search } = new URL(link);
  const before = {
    state: (await first.control('GET', '/worlds/blue/state')).body,
    info: (await first.control('GET', '/worlds/blue/info')).body,
    forwarding: (await first.control('GET', '/worlds/blue/forwarding')).body,
  };
  await first.stop();
  expect(readdirSync(folder).sort()).toEqual(['blue.json', 'index.json', 'main.json']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);

  const second = startInFolder(folder, { kycDelay: '5s', fixtures: ['empty'], worldTtl: '3h' });
  const [, listed] = (await second.control('GET', '/worlds')).body;
  expect(listed).toMatchObject({
    id: 'blue',
    loaded: false,
    partners: [],
    createdAt: created.body.createdAt,
  });
  expect((await second.ask('GET', pathname + search)).status).toBe(200);
  expect((await second.control('GET', '/worlds')).body[1]).toMatchObject({
    loaded: true,
    partners: [{ apiKey }, {}],
  });
  expect((await second.api(apiKey, 'GET', '/cardholders')).body.total).toBeGreaterThan(1);
  const after = {
    info: (await second.control('GET', '/worlds/blue/info')).body,
    forwarding: (await second.control('GET', '/worlds/blue/forwarding')).body,
  };
  expect(after).toEqual({ info: before.info, forwarding: before.forwarding });
  // The fixtures are those that the world was created with, and the keys stay.
  await second.control('POST', '/worlds/blue/reset');
  expect((await second.api(apiKey, 'GET', CARD)).body.status).toBe('active');
});

test('a reset after a restart goes back to what the world was created with', async () => {
  const folder = temporaryFolder();
  const first = startInFolder(folder);
  const { body: template } = await first.control('POST', '/worlds', { id: 'template' });
  await first.api(template.partners[0].apiKey, 'POST', `${CARD}/freeze`);
  const { body: document } = await first.control('GET', '/worlds/template/state');
  const bodies = {
    copy: { from: 'template' },
    document: { state: document },
    fixtures: { fixtures: ['empty', { partners: [{ id: 'partner_own', apiKey: 'sk_test_own' }] }] },
  };
  const states: Record<string, unknown> = {};
  for (const [id, body] of Object.entries(bodies)) {
    const { body: world } = await first.control('POST', '/worlds', { id, ...body });
    const [{ apiKey }] = world.partners;
    states[id] = (await first.control('GET', `/worlds/${id}/state`)).body.tables;
    await first.api(apiKey, 'PATCH', '/webhooks/config', { subscribedEvents: [] });
    if (id !== 'fixtures') await first.api(apiKey, 'POST', `${CARD}/unfreeze`);
  }
  await first.stop();
  const second = startInFolder(folder);
  for (const id of Object.keys(bodies)) {
    expect((await second.control('GET', `/worlds/${id}/state`)).body.tables).not.toEqual(states[id]);
    await second.control('POST', `/worlds/${id}/reset`);
    expect((await second.control('GET', `/worlds/${id}/state`)).body.tables, id).toEqual(states[id]);
  }
  for (const id of Object.keys(bodies)) await second.control('DELETE', `/worlds/${id}`);
  await second.stop();
  expect(readdirSync(folder).sort()).toEqual(['index.json', 'main.json', 'template.json']);
});

test('a killed server has lost nothing that is older than two seconds', async () => {
  const folder = temporaryFolder();
  const first = startInFolder(folder);
  const { body: world } = await first.control('POST', '/worlds', { id: 'blue' });
  const [{ apiKey }] = world.partners;
  first.pass(1_000);
  await expect.poll(() => first.has('blue.json')).toBe(true);
  await first.api(apiKey, 'POST', `${CARD}/freeze`);
  const before = readFileSync(first.file('blue.json'), 'utf8');
  await expect
    .poll(() => {
      first.pass(1_000);
      return readFileSync(first.file('blue.json'), 'utf8') === before;
    })
    .toBe(false);
  first.kill();
  const second = startInFolder(folder);
  expect((await second.api(apiKey, 'GET', CARD)).body.status).toBe('frozen');
});

test('only what has changed is written', async () => {
  const { folder, keys } = await leftFolder();
  const second = startInFolder(folder);
  await second.api(keys.blue, 'GET', CARD);
  await second.api(keys.green, 'POST', `${CARD}/freeze`);
  const inodes = () => ['main', 'blue', 'green'].map(id => statSync(second.file(`${id}.json`)).ino);
  const before = inodes();
  await second.stop();
  expect(inodes().map((inode, index) => inode === before[index])).toEqual([true, true, false]);
});

test.each([
  ['cut short', (text: string) => text.slice(0, -100), 'blue.json: is cut short or damaged'],
  ['empty', () => '', 'blue.json: is cut short or damaged'],
  ['of another program', () => '{"cards": []}', 'blue.json: format: must be "card-sandbox-state"'],
  [
    'of a later version',
    (text: string) => text.replace('"version":2', '"version":9'),
    'blue.json: version: is 9',
  ],
  [
    'inconsistent',
    (text: string) => text.replace('"cardholders":', '"cardholders":9'),
    'blue.json: counts.cardholders',
  ],
  [
    'without its own part',
    (text: string) => text.replace('"keySeed":42', '"keySeed":"x"'),
    'blue.json: world.keySeed',
  ],
])('a file that is %s harms its world alone', async (_name, spoil, problem) => {
  const { folder, keys } = await leftFolder();
  const file = join(folder, 'blue.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, spoil(whole));
  const second = startInFolder(folder);
  for (const answer of [
    await second.control('GET', '/worlds/blue'),
    await second.control('GET', '/worlds/blue/state'),
    await second.api(keys.blue, 'GET', CARD),
    await second.ask('GET', '/reveal/x?world=blue'),
  ]) {
    expect(answer).toMatchObject({ status: 503, body: { success: false } });
    expect(answer.body.error).toContain('the world "blue" cannot be read');
    expect(answer.body.error).toContain(problem);
  }
  const [, blue] = (await second.control('GET', '/worlds')).body;
  expect(blue).toMatchObject({ id: 'blue', loaded: false, problem: expect.stringContaining(problem) });
  expect(second.problems).toEqual([expect.stringContaining(problem)]);
  expect((await second.api(keys.green, 'GET', CARD)).status).toBe(200);
  expect((await second.control('GET', '/worlds/green')).status).toBe(200);
  expect((await second.control('POST', '/worlds', { id: 'blue' })).status).toBe(400);
  await second.stop();
  expect(readFileSync(file, 'utf8')).toBe(spoil(whole));

  // A file that was repaired is read at once.
  const third = startInFolder(folder);
  expect((await third.api(keys.blue, 'GET', CARD)).status).toBe(503);
  writeFileSync(file, whole);
  expect((await third.api(keys.blue, 'GET', CARD)).body.status).toBe('frozen');
});

test('the file of a world is a state document that another world can start with', async () => {
  const { folder } = await leftFolder();
  const { api, control } = startInFolder(folder);
  const state = JSON.parse(readFileSync(join(folder, 'blue.json'), 'utf8'));
  const { status, body } = await control('POST', '/worlds', { id: 'third', state });
  expect(status).toBe(201);
  expect((await api(body.partners[0].apiKey, 'GET', CARD)).body.status).toBe('frozen');
});

test('a world that cannot be read can be ended', async () => {
  const { folder, keys } = await leftFolder();
  writeFileSync(join(folder, 'blue.json'), '{');
  const { control, api, has } = startInFolder(folder);
  expect((await control('DELETE', '/worlds/blue')).status).toBe(204);
  expect(has('blue.json')).toBe(false);
  expect((await control('GET', '/worlds/blue')).status).toBe(404);
  expect((await api(keys.blue, 'GET', CARD)).status).toBe(401);
});

test('the index is made again where it is missing, damaged or older than the files', async () => {
  const { folder, keys } = await leftFolder();
  const index = join(folder, 'index.json');
  const content = readFileSync(index, 'utf8');
  expect(JSON.parse(content).worlds).toMatchObject({ main: {}, blue: {}, green: {} });
  for (const key of Object.values(keys)) expect(content).not.toContain(key);
  for (const spoil of [
    () => rmSync(index),
    () => writeFileSync(index, '{"worlds":{'),
    () =>
      writeFileSync(index, content.replaceAll(/"size":\d+/g, '"size":1').replaceAll('"tag":"', '"tag":"x')),
  ]) {
    spoil();
    const { api, stop } = startInFolder(folder);
    expect((await api(keys.blue, 'GET', CARD)).body.status).toBe('frozen');
    expect((await api(keys.green, 'GET', CARD)).body.status).toBe('active');
    await stop();
    expect(Object.keys(JSON.parse(readFileSync(index, 'utf8')).worlds).sort()).toEqual([
      'blue',
      'green',
      'main',
    ]);
  }
});

test('files can be added, replaced, renamed, copied and removed while no server runs', async () => {
  const { folder, keys } = await leftFolder();
  const at = (name: string) => join(folder, name);
  const first = startInFolder(folder);
  writeFileSync(at('demo.json'), JSON.stringify((await first.control('GET', '/worlds/blue/state')).body));
  await first.stop();
  renameSync(at('green.json'), at('renamed.json'));
  copyFileSync(at('blue.json'), at('copy.json'));
  symlinkSync(at('blue.json'), at('link.json'));
  mkdirSync(at('folder.json'));
  for (const name of ['notes.txt', 'not an id.json', 'present.json']) writeFileSync(at(name), '{}');
  const second = startInFolder(folder);
  const listed = Object.fromEntries(
    (await second.control('GET', '/worlds')).body.map((each: { id: string }) => [each.id, each]),
  );
  expect(Object.keys(listed).sort()).toEqual(['blue', 'copy', 'demo', 'folder', 'link', 'main', 'renamed']);
  expect(listed.copy.problem).toContain('copy.json: has the API keys of the world "blue"');
  for (const id of ['link', 'folder']) expect(listed[id].problem).toContain('is not followed');
  expect((await second.api(keys.blue, 'GET', CARD)).body.status).toBe('frozen');
  expect((await second.api(keys.green, 'GET', CARD)).status).toBe(200);
  expect((await second.control('GET', '/worlds/renamed')).body.partners[0].apiKey).toBe(keys.green);
  // A document of elsewhere gets keys of its own, which stay.
  const [{ apiKey }] = (await second.control('GET', '/worlds/demo')).body.partners;
  expect(Object.values(keys)).not.toContain(apiKey);
  await second.stop();
  rmSync(at('blue.json'));
  const third = startInFolder(folder);
  expect((await third.api(apiKey, 'GET', CARD)).body.status).toBe('frozen');
  expect((await third.control('GET', '/worlds/blue')).status).toBe(404);
});

test('main that cannot be read is refused at start, and its folder is free again', async () => {
  const { folder } = await leftFolder();
  const main = join(folder, 'main.json');
  const whole = readFileSync(main, 'utf8');
  writeFileSync(main, whole.slice(0, -50));
  expect(() => startInFolder(folder)).toThrow(/main\.json: is cut short or damaged/);
  rmSync(main);
  symlinkSync(join(folder, 'blue.json'), main);
  expect(() => startInFolder(folder)).toThrow(/main\.json: is a link/);
  rmSync(main);
  writeFileSync(main, whole);
  startInFolder(folder);
});

test('the end of a world removes its file, also while it is being saved', async () => {
  const folder = temporaryFolder();
  const { control, core, has, pass } = startInFolder(folder);
  await control('POST', '/worlds', { id: 'blue' });
  await control('POST', '/worlds', { id: 'never-saved' });
  await control('DELETE', '/worlds/never-saved');
  const saving = core.saveState();
  await control('DELETE', '/worlds/blue');
  await saving;
  expect(has('blue.json')).toBe(false);
  // Another world with the id is not affected.
  await control('POST', '/worlds', { id: 'blue', seed: 3 });
  const again = control('POST', '/worlds/blue/state/save');
  await control('DELETE', '/worlds/blue');
  await control('POST', '/worlds', { id: 'blue', seed: 4 });
  await again;
  pass(1_000);
  expect((await control('POST', '/worlds/blue/state/save')).status).toBe(200);
  expect(JSON.parse(readFileSync(join(folder, 'blue.json'), 'utf8')).seed).toBe(4);
  expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([]);
});

test('time to live counts while no server runs, and ends worlds that were not read', async () => {
  const folder = temporaryFolder();
  const first = startInFolder(folder);
  for (const [id, ttl] of [
    ['short', '10m'],
    ['long', '2h'],
    ['forever', '0'],
  ]) {
    await first.control('POST', '/worlds', { id, ttl });
    first.pass(1);
  }
  await first.stop();
  const ids = async ({ control }: typeof first) =>
    (await control('GET', '/worlds')).body.map(({ id }: { id: string }) => id);
  const second = startInFolder(folder, {}, { from: '2026-03-15T11:00:00.000Z' });
  expect(await ids(second)).toEqual(['main', 'long', 'forever']);
  expect(second.has('short.json')).toBe(false);
  second.pass(59 * 60_000);
  expect(await ids(second)).toEqual(['main', 'long', 'forever']);
  second.pass(60_001);
  expect(await ids(second)).toEqual(['main', 'forever']);
  expect(second.has('long.json')).toBe(false);
});

test('a use that changes nothing puts the end of a world off, also across a kill', async () => {
  const { folder, keys } = await leftFolder();
  const second = startInFolder(folder);
  second.pass(50 * 60_000);
  await second.api(keys.blue, 'GET', CARD);
  const index = () => readFileSync(second.file('index.json'), 'utf8');
  await expect
    .poll(() => {
      second.pass(1_000);
      return JSON.parse(index()).worlds.blue.lastUsedAt;
    })
    .toContain('T10:50');
  second.kill();
  const third = startInFolder(folder, {}, { from: '2026-03-15T11:30:00.000Z' });
  expect(third.has('blue.json')).toBe(true);
  expect(third.has('green.json')).toBe(false);
});

test('a clock that runs goes on where it was, although nothing has changed since', async () => {
  const { folder } = await leftFolder();
  const second = startInFolder(folder);
  const now = async ({ control }: typeof second, path: string) =>
    (await control('GET', `${path}/clock`)).body.now;
  await now(second, '/worlds/blue');
  second.pass(30 * 60_000);
  const before = [await now(second, ''), await now(second, '/worlds/blue')];
  await second.stop();
  const third = startInFolder(folder, {}, { from: '2026-03-15T10:40:00.000Z' });
  expect([await now(third, ''), await now(third, '/worlds/blue')]).toEqual(before);
});

test('a second sandbox on a folder is refused and names the first', async () => {
  const folder = temporaryFolder();
  const { stop } = startInFolder(folder);
  expect(() => startInFolder(folder)).toThrow(`is used by this process (pid ${process.pid})`);
  await stop();
  // What a killed process leaves.
  writeFileSync(
    join(folder, '.lock'),
    JSON.stringify({ pid: 2 ** 22 + 1, machine: hostname(), startedAt: null }),
  );
  await startInFolder(folder).stop();
});

test('a folder of another shard is refused, with both names', async () => {
  const folder = temporaryFolder();
  const first = startInFolder(folder, { shard: 'north' });
  const { body: world } = await first.control('POST', '/worlds', { id: 'blue' });
  await first.stop();
  expect(readdirSync(folder).sort()).toEqual(['index.json', 'main.json', 'north-blue.json']);
  for (const shard of ['south', undefined]) {
    expect(() => startInFolder(folder, { shard })).toThrow(/the shard "north".*(the shard "south"|no shard)/);
  }
  rmSync(join(folder, 'index.json'));
  expect(() => startInFolder(folder, { shard: 'south' })).toThrow(/north.*south/);
  const { api } = startInFolder(folder, { shard: 'north' });
  expect((await api(world.partners[0].apiKey, 'GET', CARD)).status).toBe(200);
});

test('a large world is read in slices, in which others are answered, and only once', async () => {
  const folder = temporaryFolder();
  const people = { cardholders: [{ generate: 2_000, partnerId: 'partner_acme' }] };
  const first = startInFolder(folder, {}, { realTime });
  const { body: large } = await first.control('POST', '/worlds', {
    id: 'large',
    fixtures: ['starter', people],
  });
  await first.stop();
  const second = startInFolder(folder, {}, { realTime });
  const [{ apiKey }] = large.partners;
  const order: string[] = [];
  const reads = ['one', 'two'].map(async name => {
    const { body } = await second.api(apiKey, 'GET', '/cardholders');
    order.push(name);
    return body.total;
  });
  await new Promise(setImmediate);
  await second.control('GET', '/clock');
  order.push('main');
  const [one, two] = await Promise.all(reads);
  expect(one).toBeGreaterThan(2_000);
  expect(two).toBe(one);
  expect(order).toEqual(['main', 'one', 'two']);
});

test('a path with a slash at its end that leads to a file is refused', () => {
  const file = join(temporaryFolder(), 'world.json');
  writeFileSync(file, '{}');
  expect(() => startInFolder(file)).toThrow('is not a folder; leave out the / at its end');
});

test('ids that would share a file are refused', async () => {
  const { control } = startInFolder(temporaryFolder());
  await control('POST', '/worlds', { id: 'Blue' });
  for (const id of ['blue', 'MAIN', 'index']) {
    expect(await control('POST', '/worlds', { id }), id).toMatchObject({
      status: 400,
      body: { success: false },
    });
  }
});

test('where saves are late, a request waits until its world is saved', async () => {
  const { api, control, core, has, pass } = startInFolder(temporaryFolder(), { fixtures: ['empty'] });
  const keys: string[] = [];
  // More than are saved at once.
  for (let count = 0; count < 80; count++) {
    const { body } = await control('POST', '/worlds', { id: `w${count}` });
    keys.push(body.partners[0].apiKey);
  }
  const waitsFor = (key = '') => {
    const headers = { host: '127.0.0.1', 'x-service-api-key': key };
    const request = { method: 'GET', path: '/v1/partner/cards', query: '', remoteAddress: '127.0.0.1' };
    return core.prepare({ ...request, headers, body: Buffer.alloc(0) }) !== null;
  };
  // The saves begin, and end in later turns.
  pass(1_000);
  expect(waitsFor(keys[79])).toBe(false);
  pass(500);
  expect(waitsFor(keys[0])).toBe(false);
  expect(waitsFor(keys[79])).toBe(true);
  expect(has('w78.json')).toBe(false);
  expect((await api(keys[78] ?? '', 'GET', '/cards')).status).toBe(200);
  expect(has('w78.json')).toBe(true);
});
