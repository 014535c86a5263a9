import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: 'test/contract/tools',
    include: ['*.tool.ts'],
    globalSetup: 'test/contract/tools/install.ts',
    testTimeout: 120_000,
  },
});
