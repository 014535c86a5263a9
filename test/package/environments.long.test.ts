import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../support/at-file-end.ts';
import { type Installed, install, linkPackages, ROOT, run } from './installed.ts';

const CONSUMER = join(ROOT, 'test/package/consumer');
const PACKAGES = [
  'vitest',
  'vite',
  'jsdom',
  'happy-dom',
  '@edge-runtime/vm',
  '@sinonjs/fake-timers',
  '@jest/fake-timers',
];

let installed: Installed;

const atEnd = atFileEnd();
beforeAll(async () => {
  installed = await install(atEnd);
  linkPackages(installed, PACKAGES);
  cpSync(join(CONSUMER, 'environment.ts'), join(installed.folder, 'environment.test.ts'));
  cpSync(join(CONSUMER, 'torn-down.cjs'), join(installed.folder, 'torn-down.cjs'));
});

test.each([
  ['node', 'threads'],
  ['jsdom', 'threads'],
  ['happy-dom', 'threads'],
  ['edge-runtime', 'threads'],
  ['jsdom', 'vmThreads'],
  ['happy-dom', 'vmThreads'],
])(
  'the package works in the environment %s of Vitest with %s, beside every library of fake timers',
  async (environment, pool) => {
    const { folder } = installed;
    const config = `${environment}-${pool}.config.js`;
    // Where a library fakes the clock during a hook, Vitest takes the age of the process for its duration.
    const limits = { testTimeout: 60_000, hookTimeout: 600_000 };
    const test = { environment, pool, ...limits };
    writeFileSync(join(folder, config), `export default ${JSON.stringify({ test })};`);
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const output = await run(process.execPath, [vitest, 'run', '--config', config], folder);
    expect(output).toMatch(/Tests +10 passed \(10\)/);
  },
);

test('records end with the process, whose copies and modules Jest takes from a file that has ended', async () => {
  const { folder } = installed;
  const records = join(folder, 'records');
  const variables = { CARD_SANDBOX_RECORDS: records, NODE_NO_WARNINGS: '' };
  expect(await run(process.execPath, [join(folder, 'torn-down.cjs')], folder, variables)).toBe('');
  const files = readdirSync(records);
  expect(files).toHaveLength(12);
  for (const file of files) expect(readFileSync(join(records, file), 'utf8')).toMatch(/\n\{"end":.*\n$/);
});
