import { defineConfig } from 'vitest/config';

const common = { testTimeout: 20_000 };
/** Files that change what all code of their process sees, its requests or its modules. */
const alone = ['test/surfaces/in-process/**/*.test.ts'];
/** Files that measure time or memory. */
const measuring = ['test/browser/dashboard-views.test.ts', 'test/prove/{slow,soak}.test.ts'];

export default defineConfig({
  test: {
    // Half of the time is waiting for processes, so that no core is to be kept free.
    maxWorkers: '100%',
    projects: [
      // Loading the sources anew for each file would take longer than the tests.
      {
        test: {
          ...common,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...measuring],
          isolate: false,
          // Commands that run in the process of a test are to be as plain as those whose output is a pipe.
          env: { NO_COLOR: '1' },
        },
      },
      { test: { ...common, name: 'alone', include: alone } },
      // After all others, and one after the other.
      {
        test: {
          ...common,
          name: 'measuring',
          include: measuring,
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
