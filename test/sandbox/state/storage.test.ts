import { mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/fixture-files.ts';
import { startInFolder } from './support-folder.ts';

const start = (folder = realpathSync(temporaryFolder())) => ({
  folder,
  ...startInFolder(folder, { fixtures: ['empty'] }),
});

test('the last save says where the worlds are, how many were saved and how much', async () => {
  const { folder, core, control, file, kill } = start();
  await control('POST', '/worlds', { id: 'blue' });
  const saved = await core.saveState();
  const bytes = ['main', 'blue'].reduce((sum, id) => sum + statSync(file(`${id}.json`)).size, 0);
  const counts = JSON.parse(readFileSync(file('main.json'), 'utf8')).counts;
  const rows = Object.values<number>(counts).reduce((sum, count) => sum + count, 0);
  expect(saved).toEqual({ file: folder, worlds: 2, bytes, records: 2 * rows });
  expect(await core.saveState()).toEqual({ file: folder, worlds: 0, bytes: 0, records: 0 });
  kill();
});

test('a last save that fails is an error that names one file and counts the others', async () => {
  const { folder, core, control } = start();
  await core.saveState();
  await control('POST', '/worlds', { id: 'blue' });
  rmSync(folder, { recursive: true });
  const reason = `blue.json: cannot be saved, there is no folder ${folder}; create it first`;
  await expect(core.saveState()).rejects.toThrow(
    `${folder}/${reason}; one other file cannot be saved either`,
  );
  await control('POST', '/worlds', { id: 'green' });
  await expect(core.saveState()).rejects.toThrow(`${reason}; 2 other files cannot be saved either`);
  mkdirSync(folder);
});

test('an index that cannot be saved is reported once, and saved when it can be', async () => {
  const { control, file, has, pass, saveErrors } = start();
  mkdirSync(file('index.json'));
  await control('POST', '/worlds', { id: 'blue' });
  await expect
    .poll(() => {
      pass(1_000);
      return saveErrors;
    })
    .toEqual([expect.stringContaining('index.json: cannot be saved, is a folder')]);
  expect(has('blue.json')).toBe(true);
  rmSync(file('index.json'), { recursive: true });
  await expect
    .poll(() => {
      pass(1_000);
      return has('index.json');
    })
    .toBe(true);
  expect(Object.keys(JSON.parse(readFileSync(file('index.json'), 'utf8')).worlds)).toContain('blue');
  expect(saveErrors).toHaveLength(1);
});

test('a world ends although its file cannot be removed, which is reported', async () => {
  const { control, core, file, saveErrors } = start();
  await control('POST', '/worlds', { id: 'blue' });
  await core.saveState();
  rmSync(file('blue.json'));
  mkdirSync(file('blue.json'));
  expect((await control('DELETE', '/worlds/blue')).status).toBe(204);
  expect((await control('GET', '/worlds/blue')).status).toBe(404);
  expect(saveErrors).toEqual([
    expect.stringMatching(
      /blue\.json: cannot be removed, .*; the world has ended, and is there again after a restart unless you remove the file$/,
    ),
  ]);
});

test('the index notes the use of a world that changes nothing in it', async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  const { body } = await first.control('POST', '/worlds', { id: 'blue' });
  const [{ apiKey }] = body.partners;
  await first.stop();
  const { api, pass, file } = start(folder);
  const { ino } = statSync(file('index.json'));
  // The index of a start is saved first.
  await expect
    .poll(() => {
      pass(1_000);
      return statSync(file('index.json')).ino === ino;
    })
    .toBe(false);
  const noted = () => JSON.parse(readFileSync(file('index.json'), 'utf8')).worlds.blue.lastUsedAt;
  const before = noted();
  pass(20_000);
  expect((await api(apiKey, 'GET', '/balance')).status).toBe(200);
  await expect
    .poll(() => {
      pass(1_000);
      return Date.parse(noted()) - Date.parse(before);
    })
    .toBeGreaterThanOrEqual(20_000);
});

test('a save on demand that fails is refused with the reason', async () => {
  const { folder, control } = start();
  await control('POST', '/worlds', { id: 'blue' });
  rmSync(folder, { recursive: true });
  for (const [path, name] of [
    ['/state/save', 'main.json'],
    ['/worlds/blue/state/save', 'blue.json'],
  ]) {
    expect(await control('POST', path ?? '')).toEqual({
      status: 500,
      body: {
        success: false,
        error: `${join(folder, name ?? '')}: cannot be saved, there is no folder ${folder}; create it first`,
      },
    });
  }
  mkdirSync(folder);
  expect((await control('POST', '/state/save')).status).toBe(200);
});
