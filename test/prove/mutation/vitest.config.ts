import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = process.env.CARD_SANDBOX_MUTANTS ?? '';
const COUNTS = process.env.CARD_SANDBOX_LANE === 'coverage';

export default defineConfig({
  root: ROOT,
  plugins: [
    {
      name: 'sources-with-mutants',
      enforce: 'pre',
      load(id) {
        const [file = ''] = id.split('?');
        const copy = join(FOLDER, relative(ROOT, file));
        if (!file.startsWith(join(ROOT, 'src')) || !existsSync(copy)) return null;
        const code = readFileSync(copy, 'utf8');
        // To count what is passed takes longer than to run it, and is done once.
        return COUNTS ? code : code.replace(/stryCov_9fa48\("[^)]*"\)/g, '0');
      },
    },
  ],
  test: {
    include: ['test/prove/mutation/begin.ts'],
    runner: 'test/prove/mutation/runner.ts',
    isolate: false,
    testTimeout: 20_000,
    silent: true,
  },
});
