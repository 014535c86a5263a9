import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realTime } from '../../../src/core/time/realtime.ts';
import { fixtureFile, temporaryFolder } from '../fixtures/fixture-files.ts';
import { startInFolder } from '../state/support-folder.ts';

const OWN = { partners: [{ id: 'partner_own', apiKey: 'sk_test_own' }] };
const start = (folder: string, options = {}, hooks = {}) =>
  startInFolder(folder, { fixtures: ['empty'], ...options }, hooks);

/** The files of worlds in a folder. */
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter(name => /^(?!index\.|main\.)\w.*\.json$/.test(name))
    .sort();

test('only what a world starts with and no other file has is beside its file', async () => {
  const folder = temporaryFolder();
  const { control, stop } = start(folder);
  const { body: state } = await control('GET', '/state');
  await control('POST', '/worlds', { id: 'plain' });
  await control('POST', '/worlds', { id: 'named', fixtures: ['starter'] });
  await control('POST', '/worlds', { id: 'own', fixtures: [OWN] });
  await control('POST', '/worlds', { id: 'copy', from: 'main' });
  await control('POST', '/worlds', { id: 'document', state });
  await stop();
  expect(filesIn(folder)).toEqual([
    ...['copy.json', 'copy.start.json', 'document.json', 'document.start.json'],
    ...['named.json', 'own.fixtures.json', 'own.json', 'plain.json'],
  ]);
  writeFileSync(join(folder, 'elsewhere.json'), JSON.stringify(state));
  const second = start(folder);
  for (const id of ['elsewhere', 'plain', 'own', 'copy']) {
    expect((await second.control('POST', `/worlds/${id}/reset`)).status, id).toBe(204);
  }
  const { partners } = (await second.control('GET', '/worlds/own')).body;
  expect(partners.map(({ id }: { id: string }) => id)).toEqual(['partner_own']);
  await second.stop();
  expect(filesIn(folder).filter(name => name.startsWith('elsewhere'))).toEqual(['elsewhere.json']);
});

test('a world that starts as main did has no file for the saved state that main starts with', async () => {
  const folder = temporaryFolder();
  const first = start(temporaryFolder());
  const saved = fixtureFile(JSON.stringify((await first.control('GET', '/state')).body), 'saved.json');
  const { control, stop } = start(folder, { fixtures: [saved] });
  await control('POST', '/worlds', { id: 'blue' });
  await stop();
  expect(filesIn(folder)).toEqual(['blue.json']);
});

test.each([
  ['missing', (file: string) => rmSync(file), /copy\.start\.json: there is no folder /],
  [
    'damaged',
    (file: string) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20)),
    /copy\.start\.json: is cut short or damaged/,
  ],
])('a world whose start is %s goes on, and its reset is refused', async (_, spoil, problem) => {
  const folder = temporaryFolder();
  const first = start(folder);
  await first.control('POST', '/worlds', { id: 'copy', from: 'main' });
  await first.stop();
  spoil(join(folder, 'copy.start.json'));
  const { control } = start(folder);
  expect((await control('GET', '/worlds/copy')).status).toBe(200);
  const reset = await control('POST', '/worlds/copy/reset');
  expect(reset.status).toBe(400);
  expect(reset.body.error).toMatch(/^the start of this world cannot be read: /);
  expect(reset.body.error).toMatch(problem);
  expect((await control('GET', '/worlds/copy/clock')).status).toBe(200);
});

test('a file that cannot be read outlives its time to live, for somebody to repair it', async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  await first.control('POST', '/worlds', { id: 'broken', ttl: '10m' });
  await first.control('POST', '/worlds', { id: 'whole', ttl: '10m' });
  await first.stop();
  writeFileSync(join(folder, 'broken.json'), '{');
  const { control, pass } = start(folder);
  pass(60 * 60_000);
  const { body } = await control('GET', '/worlds');
  expect(body.map(({ id }: { id: string }) => id)).toEqual(['main', 'broken']);
  expect(filesIn(folder)).toEqual(['broken.json']);
});

test('a copy of the file of a world takes no keys from it, although it is put there while a server runs', async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  const { body: blue } = await first.control('POST', '/worlds', { id: 'blue' });
  await first.control('POST', '/worlds', { id: 'green' });
  await first.stop();
  const { api, control, problems } = start(folder);
  copyFileSync(join(folder, 'blue.json'), join(folder, 'green.json'));
  const problem = 'green.json: has the API keys of the world "blue", as a copy of its file has';
  for (let count = 0; count < 2; count++) {
    const { status, body } = await control('GET', '/worlds/green');
    expect([status, body.error]).toEqual([503, expect.stringContaining(problem)]);
  }
  expect(problems).toEqual([expect.stringContaining(problem)]);
  const [{ apiKey }] = blue.partners;
  expect((await api(apiKey, 'GET', '/cards')).status).toBe(200);
  expect((await control('GET', '/worlds/blue/requests/count')).body.count).toBe(1);
  // Nor does its end.
  expect((await control('DELETE', '/worlds/green')).status).toBe(204);
  expect((await api(apiKey, 'GET', '/cards')).status).toBe(200);
  expect((await control('GET', '/worlds/blue/requests/count')).body.count).toBe(2);
});

test('a preflight is answered by the origins of worlds that were not read yet, too', async () => {
  const folder = temporaryFolder();
  const allowing = (id: string, ...origins: string[]) => ({
    partners: [{ id, apiKey: `sk_test_${id}`, settings: { allowedOrigins: origins } }],
  });
  const main = fixtureFile(JSON.stringify(allowing('partner_main', 'https://main.test')), 'main.json');
  const first = start(folder, { fixtures: [main] });
  const fixtures = [allowing('partner_a', 'https://a.test'), allowing('partner_b', 'https://b.test')];
  await first.control('POST', '/worlds', { id: 'blue', fixtures });
  await first.stop();
  const { core, control } = start(folder, { fixtures: [main] });
  const allowedFor = (origin: string) =>
    core.handle({
      method: 'OPTIONS',
      path: '/v1/partner/cards',
      query: '',
      remoteAddress: '127.0.0.1',
      headers: { host: '127.0.0.1', origin, 'access-control-request-method': 'GET' },
      body: Buffer.alloc(0),
    }).headers['Access-Control-Allow-Origin'];
  const origins = ['main', 'a', 'b', 'c'].map(name => `https://${name}.test`);
  expect(origins.map(allowedFor)).toEqual([...origins.slice(0, 3), undefined]);
  expect((await control('GET', '/worlds')).body[1]).toMatchObject({ id: 'blue', loaded: false });
});

test('a copy of a large world that was not read yet is made once it is', async () => {
  const folder = temporaryFolder();
  const people = { cardholders: [{ generate: 400, externalUserId: 'guest' }] };
  const first = start(folder, {}, { realTime });
  await first.control('POST', '/worlds', { id: 'large', fixtures: ['empty', people] });
  await first.stop();
  const { api, control } = start(folder, {}, { realTime });
  const { status, body: copy } = await control('POST', '/worlds', { id: 'copy', from: 'large' });
  expect(status).toBe(201);
  expect((await api(copy.partners[0].apiKey, 'GET', '/cardholders')).body.total).toBe(400);
});
