import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { DIST } from './dist-files.ts';

const require = createRequire(import.meta.url);
const { loaded } = require(`${DIST}/parts.cjs`);

/** The operations of the package that were loaded. */
const loadedOperations = () =>
  (loaded() as string[])
    .filter(part => !/[/-]schema$/.test(part))
    .map(part => part.replace('parts/', ''))
    .sort();

test('a sandbox loads no part with a built-in fixture, and operations with the first request that may be for one', async () => {
  const { createSandbox } = require(`${DIST}/index.cjs`);
  const sandbox = createSandbox();
  try {
    expect(loaded()).toEqual([]);
    await sandbox.fetch('/dashboard');
    expect(loadedOperations()).toEqual([]);
    await sandbox.fetch('/v1/partner/cards');
    const ofCards = ['service/cards/operations', 'service/reveal/operations'];
    expect(loadedOperations()).toEqual(ofCards);
    await sandbox.fetch('/_sandbox/health');
    expect(loadedOperations()).toEqual(['control/world/sandbox', ...ofCards]);
  } finally {
    await sandbox.close();
  }
});
