import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StateFolder } from '../../../src/sandbox/state/state-folder.ts';
import { manualTime } from '../../support/manual-time.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';
import { startInFolder } from './support-folder.ts';

/** Process ids end below this number on every system. */
const NO_PROCESS = 2 ** 30;

/** A folder that a sandbox with the world `blue` has left, with an options of that world. */
async function leftFolder(options = {}) {
  const folder = temporaryFolder();
  const first = startInFolder(folder, { fixtures: ['empty'] });
  const { body: blue } = await first.control('POST', '/worlds', { id: 'blue', ...options });
  const state = (await first.control('GET', '/state')).body;
  await first.stop();
  return { folder, state, key: blue.partners[0].apiKey, at: (name: string) => join(folder, name) };
}

const listed = async (folder: string, id: string, from?: string) => {
  const sandbox = startInFolder(folder, { fixtures: ['empty'] }, from === undefined ? {} : { from });
  const { body } = await sandbox.control('GET', '/worlds');
  return { ...sandbox, world: body.find((each: { id: string }) => each.id === id) };
};

test('what ended processes were writing to a folder is removed at start, and other files stay', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const stale = [`.blue.json.${NO_PROCESS}-7.tmp`, `.index.json.${process.pid}-1.tmp`].map(at);
  const kept = [`.notes.txt.${NO_PROCESS}-7.tmp`, 'notes.txt'].map(at);
  for (const path of [...stale, ...kept]) writeFileSync(path, '');
  startInFolder(folder, { fixtures: ['empty'] });
  expect(stale.filter(path => existsSync(path))).toEqual([]);
  expect(kept.filter(path => existsSync(path))).toEqual(kept);
});

test('a folder that cannot be used is refused by its name, and free again', () => {
  const folder = temporaryFolder();
  const problem = (name: string) => {
    mkdirSync(join(folder, name));
    let message = '';
    try {
      startInFolder(folder, { fixtures: ['empty'] });
    } catch (error) {
      message = String(error);
    }
    rmSync(join(folder, name), { recursive: true });
    return message;
  };
  expect(problem('.lock')).toContain(`StateFileError: --state ${folder}/: `);
  expect(problem(`.index.json.${NO_PROCESS}-1.tmp`)).toContain(`StateFileError: --state ${folder}/: `);
  startInFolder(folder, { fixtures: ['empty'] });
});

test('a file is no folder, however its path ends', () => {
  const file = join(temporaryFolder(), 'world.json');
  writeFileSync(file, '{}');
  for (const path of [file, `${file}/`]) {
    expect(() => new StateFolder(path, null, manualTime().realTime)).toThrow(
      `--state ${path}: is not a folder; leave out the / at its end to keep main in a file, or name another folder`,
    );
  }
});

test('a state of elsewhere in the place of a file is another world, with a time to live of its own', async () => {
  const { folder, state, key, at } = await leftFolder({ ttl: '10m' });
  writeFileSync(at('blue.json'), JSON.stringify(state));
  const { world, api, control } = await listed(folder, 'blue', '2026-03-15T10:30:00.000Z');
  expect(world).toMatchObject({ id: 'blue', loaded: false });
  const { body } = await control('GET', '/worlds/blue');
  expect(body.partners[0].apiKey).not.toBe(key);
  expect((await api(key, 'GET', '/balance')).status).toBe(401);
});

test('of a file and its copy, the one that is named after the world is that world', async () => {
  const { folder, key, at } = await leftFolder();
  copyFileSync(at('blue.json'), at('a-copy.json'));
  copyFileSync(at('blue.json'), at('z-copy.json'));
  const { control, api } = await listed(folder, 'blue');
  const { body } = await control('GET', '/worlds');
  const problems = body.map(({ id, problem }: { id: string; problem?: string }) => [id, problem ?? null]);
  expect(Object.fromEntries(problems)).toEqual({
    main: null,
    blue: null,
    'a-copy': expect.stringContaining(
      'a-copy.json: has the API keys of the world "blue", as a copy of its file has',
    ),
    'z-copy': expect.stringContaining(
      'z-copy.json: has the API keys of the world "blue", as a copy of its file has',
    ),
  });
  expect((await api(key, 'GET', '/balance')).status).toBe(200);
  // The end of a copy takes no keys from the world.
  expect((await control('DELETE', '/worlds/a-copy')).status).toBe(204);
  expect((await api(key, 'GET', '/balance')).status).toBe(200);
});

test('the index knows a world that was not read by its file, and one that cannot be read by none', async () => {
  const { folder, at } = await leftFolder();
  writeFileSync(at('broken.json'), '{');
  const { stop } = await listed(folder, 'blue');
  await stop();
  const { worlds } = JSON.parse(readFileSync(at('index.json'), 'utf8'));
  expect(worlds.blue.size).toBe(readFileSync(at('blue.json')).length);
  expect(worlds.broken.size).toBe(-1);
});
