import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const PARTS = join(import.meta.dirname, '../../dist/parts');

/** The operations of the package that were loaded after the start. */
const loadedOperations = () =>
  Object.keys(require.cache)
    .filter(file => file.startsWith(PARTS))
    .map(file => relative(PARTS, file).replaceAll(sep, '/'))
    .filter(part => !/[/-]schema\.cjs$/.test(part))
    .sort();

test('a sandbox loads operations with the first request that may be for one of them', async () => {
  const { createSandbox } = require(join(PARTS, '../index.cjs'));
  const sandbox = createSandbox();
  try {
    await sandbox.fetch('/dashboard');
    expect(loadedOperations()).toEqual([]);
    await sandbox.fetch('/v1/partner/cards');
    const ofCards = ['service/cards/operations.cjs', 'service/reveal/operations.cjs'];
    expect(loadedOperations()).toEqual(ofCards);
    await sandbox.fetch('/_sandbox/health');
    expect(loadedOperations()).toEqual(['control/world/sandbox.cjs', ...ofCards]);
  } finally {
    await sandbox.close();
  }
});

test('a sandbox on a built-in fixture starts without any part', () => {
  const program = `
    const { createSandbox } = require(process.argv[1]);
    createSandbox();
    console.log(JSON.stringify(Object.keys(require.cache)));
    process.exit();`;
  const output = execFileSync(process.execPath, ['-e', program, join(PARTS, '../index.cjs')], {
    encoding: 'utf8',
  });
  const files: string[] = JSON.parse(output);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter(file => file.startsWith(PARTS))).toEqual([]);
});
