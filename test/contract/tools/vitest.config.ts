import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { MSW_3, runsMsw3 } from './install.ts';

/** Resolves `msw` to MSW 3. It resolves late because the first run installs MSW 3 only after the config is read. */
const msw3: Plugin = {
  name: 'msw-3',
  enforce: 'pre',
  resolveId: id => (/^msw(?:\/|$)/.test(id) ? createRequire(join(MSW_3, 'package.json')).resolve(id) : null),
};

const common = {
  globalSetup: 'test/contract/tools/install.ts',
  // Some install packages and run other programs, which takes minutes on a busy machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
};

const withMsw3 = {
  plugins: [msw3],
  test: {
    ...common,
    name: 'MSW 3',
    include: ['test/server/in-process/msw-3.tool.ts', 'test/server/in-process/handlers.test.ts'],
    env: { MSW_FOLDER: MSW_3 },
  },
};

export default defineConfig({
  test: {
    // The long tests run beside these.
    maxWorkers: 1,
    projects: [
      { test: { ...common, name: 'tools', include: ['test/contract/tools/*.tool.ts'] } },
      ...(runsMsw3() ? [withMsw3] : []),
    ],
  },
});
