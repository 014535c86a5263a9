import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { atFileEnd } from '../support/at-file-end.ts';
import { type Installed, install, linkPackages, ROOT, run } from './installed.ts';

const PROGRAM = join(ROOT, 'test/package/consumer/environment.ts');
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
  cpSync(PROGRAM, join(installed.folder, 'environment.test.ts'));
});

const ENVIRONMENTS = [
  ['node', 'threads'],
  ['jsdom', 'threads'],
  ['happy-dom', 'threads'],
  ['edge-runtime', 'threads'],
  ['jsdom', 'vmThreads'],
  ['happy-dom', 'vmThreads'],
] as const;

test('the package works in each environment of Vitest, beside every library of fake timers', async () => {
  const { folder } = installed;
  // Where a library fakes the clock during a hook, Vitest takes the age of the process for its duration.
  const limits = { testTimeout: 600_000, hookTimeout: 600_000 };
  const projects = ENVIRONMENTS.map(([environment, pool]) => ({
    test: { name: `${environment} in ${pool}`, environment, pool, ...limits },
  }));
  const config = `export default ${JSON.stringify({ test: { projects } })};`;
  writeFileSync(join(folder, 'environments.config.js'), config);
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const output = await run(process.execPath, [vitest, 'run', '--config', 'environments.config.js'], folder);
  expect(output).toMatch(/Tests +60 passed \(60\)/);
});
