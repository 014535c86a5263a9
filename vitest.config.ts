import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const common = {
  // Far above what a test takes: a machine that runs other work takes several times as long.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  setupFiles: 'test/support/seed.ts',
  // Commands that run inside a test process print without colours, as they do into a pipe. With another DEBUG, Express or
  // MSW would print among their messages.
  env: { NO_COLOR: '1', DEBUG: '0' },
};
/** Tests that `npm run check` runs and `npm test` leaves out: browsers, many processes, packed packages, long proofs. */
const long = ['test/**/*.long.test.ts'];
/** Tests that only `npm run prove` runs: many random inputs, large worlds, and figures that a busy machine spoils. */
const proof = ['test/**/*.proof.test.ts'];
/**
 * Long tests and proofs run only when the command line names one, or their project: `npx vitest run FOLDER` runs the quick
 * tests.
 */
const runsLong = process.argv.some(argument => /^--project\b|\.(?:long|proof)\b/.test(argument));
/** Tests that change the modules of their process, or need modules that nothing has used before. */
const isolated = [
  'test/server/in-process/{first-use,msw-version}.test.ts',
  'test/dashboard/{whole-pages,lists-and-keys}.test.ts',
];
/** Long tests that measure time or memory. They run last, one file at a time. */
const measuring = [
  'test/browser/dashboard-loading.long.test.ts',
  'test/prove/{slow,storage}.long.test.ts',
  'test/control/history/bounds.long.test.ts',
  'test/service/webhooks/fairness.long.test.ts',
  'test/prove/attacks/{memory,wrong-bodies}.long.test.ts',
  'test/cli/commands/sandbox/signals.long.test.ts',
];

/** Long tests that wait for time and for other processes more than they compute. They have a process of their own. */
const waiting = [
  'test/cli/commands/exam/*.long.test.ts',
  'test/cli/never-done.long.test.ts',
  'test/sandbox/state/file.long.test.ts',
  'test/server/http/late-requests.long.test.ts',
];

/** The slowest long tests, the slowest first. They start first, so that none of them runs alone at the end. */
const slowest = [
  'cli/examples',
  'browser/reveal',
  'browser/dashboard/everyone',
  'cli/commands/init/projects',
  'docs/pages/pages',
  'browser/presenter/presenter',
].map(name => `test/${name}.long.test.ts`);

/** Sorts as Vitest does, after the slowest files: it knows no durations in a new clone. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = slowest.flatMap(file => sorted.filter(({ moduleId }) => moduleId.endsWith(file)));
    return [...first, ...sorted.filter(file => !first.includes(file))];
  }
}

/** What holds for all long tests: they wait for browsers, processes and other programs, which takes minutes on a busy machine. */
const patient = { ...common, testTimeout: 600_000, hookTimeout: 600_000, isolate: false };

const longProjects = [
  {
    test: {
      ...patient,
      name: 'long',
      include: long,
      exclude: [...measuring, ...waiting],
      // Those that wait and those of the contract run beside them.
      maxWorkers: '100%',
      sequence: { groupOrder: 1 },
    },
  },
  {
    test: { ...patient, name: 'waiting', include: waiting, maxWorkers: 1, sequence: { groupOrder: 4 } },
  },
  {
    test: {
      ...patient,
      name: 'measuring',
      include: measuring,
      maxWorkers: 1,
      sequence: { groupOrder: 2 },
    },
  },
  { test: { ...patient, name: 'proof', include: proof, maxWorkers: 1, sequence: { groupOrder: 3 } } },
];

export default defineConfig({
  test: {
    globalSetup: 'test/support/temporary-files.ts',
    // Tests spend half of their time waiting for sockets and processes, so no core needs to stay free.
    maxWorkers: '100%',
    ...(runsLong ? { sequence: { sequencer: SlowestFirst } } : {}),
    projects: [
      // One process for many files: loading the sources for each file would take longer than its tests.
      {
        test: {
          ...common,
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...isolated, ...long, ...proof],
          isolate: false,
        },
      },
      { test: { ...common, name: 'isolated', include: isolated, exclude: [...long, ...proof] } },
      ...(runsLong ? longProjects : []),
    ],
  },
});
