import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTemporary, replaceFile } from '../../../src/sandbox/state/atomic-file.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

/** A file in a new folder, which does not exist yet. */
function newFile() {
  const folder = temporaryFolder();
  const path = join(folder, 'world.json');
  return { folder, path, mode: () => statSync(path).mode & 0o777 };
}

const pieces = (...texts: string[]) => texts.map(text => Buffer.from(text));

test('a new file is for its owner only, and one that is replaced keeps its mode', async () => {
  const { folder, path, mode } = newFile();
  await replaceFile(path, pieces('one', ' and more'));
  expect(readFileSync(path, 'utf8')).toBe('one and more');
  expect(mode()).toBe(0o600);
  chmodSync(path, 0o640);
  await replaceFile(path, pieces('two'));
  expect(mode()).toBe(0o640);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['world.json']);
});

test('a file whose pieces cannot be made stays as it was', async () => {
  const { folder, path } = newFile();
  writeFileSync(path, 'before');
  const broken = function* () {
    yield Buffer.from('half');
    throw new Error('no other half');
  };
  await expect(replaceFile(path, broken())).rejects.toThrow('no other half');
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['world.json']);
});

test('what an interrupted replacement has left is removed, and nothing else', () => {
  const { folder, path } = newFile();
  const kept = ['world.json', 'world.json.tmp', '.other.json.tmp', '.world.json.tmp.old'];
  for (const name of ['.world.json.tmp', ...kept]) writeFileSync(join(folder, name), '');
  removeTemporary(path);
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
});
