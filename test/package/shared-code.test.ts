import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dynamicImport, loadedByStart, loadedWith } from './dist-files.ts';

/** Returns the sources in files, by the comments that name them. */
const sourcesIn = (files: readonly string[]) =>
  files.flatMap(file => readFileSync(file, 'utf8').match(/(?<=^\/\/! )src\/.*$/gm) ?? []);

test('a start loads few files', () => {
  const files = loadedByStart();
  expect(files.length).toBeLessThanOrEqual(6);
  expect(sourcesIn(files)).toContain('src/core/request/dispatch.ts');
});

test('a command that starts no sandbox does not load one', () => {
  const files = loadedWith('cli/main.cjs');
  expect(files.length).toBeLessThanOrEqual(4);
  const sources = sourcesIn(files);
  expect(sources).toContain('src/cli/commands/stop.ts');
  expect(sources).not.toContain('src/core/request/dispatch.ts');
  // Nor the schemas, which take longer than all the rest.
  expect(files.filter(file => readFileSync(file, 'utf8').includes('node_modules/zod'))).toEqual([]);
});

test('a sandbox in process loads nothing of the command line', () => {
  const sources = sourcesIn(loadedWith('index.cjs'));
  expect(sources).toContain('src/core/request/dispatch.ts');
  expect(sources.filter(source => source.startsWith('src/cli/'))).toEqual([]);
});

test('the files of the package are ASCII, so that Node.js stores each character in one byte', () => {
  for (const file of [...loadedByStart(), ...loadedWith(dynamicImport('operation-commands'))]) {
    expect(readFileSync(file, 'utf8')).not.toMatch(/[^\0-\x7f]/);
  }
});
