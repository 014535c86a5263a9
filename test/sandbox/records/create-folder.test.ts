import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../../../src/sandbox/records/create-folder.ts';
import { temporaryFolder } from '../fixtures/fixture-files.ts';

test('a folder is created with those above it, and may be there already', () => {
  const folder = join(temporaryFolder(), 'a', 'b', 'c');
  for (const _ of ['new', 'again']) createFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('a folder whose place is taken by a file, or is below one, cannot be created', () => {
  const file = join(temporaryFolder(), 'taken');
  writeFileSync(file, '');
  for (const folder of [file, join(file, 'below')])
    expect(() => createFolder(folder)).toThrow(/EEXIST|ENOTDIR/);
});
