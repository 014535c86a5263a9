import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AtomicFile } from '../../../src/sandbox/state/atomic-file.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

/** A file in a new folder, which does not exist yet. */
function newFile() {
  const folder = temporaryFolder();
  const path = join(folder, 'world.json');
  return { folder, path, file: new AtomicFile(path), mode: () => statSync(path).mode & 0o777 };
}

const pieces = (...texts: string[]) => texts.map(text => Buffer.from(text));

test('a new file is for its owner only, and one that is replaced keeps its mode', async () => {
  const { folder, path, file, mode } = newFile();
  expect(await file.write(pieces('one', ' and more'))).toMatchObject({ size: 12 });
  expect(mode()).toBe(0o600);
  chmodSync(path, 0o640);
  await file.write(pieces('two'));
  expect(mode()).toBe(0o640);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['world.json']);
});

test.each([
  ['before it takes its place', [true]],
  ['while it takes its place', [false, true]],
])('nothing is left of a file that becomes obsolete %s', async (_, answers) => {
  const { folder, path, file } = newFile();
  writeFileSync(path, 'before');
  const left = [...answers];
  await file.write(pieces('after'), () => left.shift() ?? true);
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file whose pieces cannot be made stays as it was', async () => {
  const { folder, path, file } = newFile();
  writeFileSync(path, 'before');
  const broken = function* () {
    yield Buffer.from('half');
    throw new Error('no other half');
  };
  await expect(file.write(broken())).rejects.toThrow('no other half');
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['world.json']);
});
