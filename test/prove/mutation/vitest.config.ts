import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = process.env.CARD_SANDBOX_MUTANTS ?? '';
const MEASURES_COVERAGE = process.env.CARD_SANDBOX_WORKER === 'coverage';

export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'instrumented-sources',
      enforce: 'pre',
      load(id) {
        const [file = ''] = id.split('?');
        const copy = join(FOLDER, relative(ROOT, file));
        if (!file.startsWith(join(ROOT, 'src')) || !existsSync(copy)) return null;
        const code = readFileSync(copy, 'utf8');
        // Counting executions takes longer than the code itself, so it happens only once.
        return MEASURES_COVERAGE ? code : code.replace(/stryCov_9fa48\("[^)]*"\)/g, '0');
      },
    },
  ],
  test: {
    include: ['test/prove/mutation/start.ts'],
    runner: 'test/prove/mutation/runner.ts',
    setupFiles: 'test/support/seed.ts',
    env: { NO_COLOR: '1', DEBUG: '0' },
    isolate: false,
    testTimeout: 20_000,
    silent: true,
  },
});
