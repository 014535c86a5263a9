import { expect, test } from 'vitest';
import { runInProcess, sharedSandbox } from '../support/cli-in-process.ts';
import { runCli } from '../support/cli-process.ts';

// Most tests run the command line in their own process. These show that the built program behaves the same.

const { run, running } = sharedSandbox();

/** One command of each kind: a light one, one of an operation, and one that loads much. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  wait: ['--timeout', '5s'],
  clock: ['advance', '1h'],
  openapi: ['--format', 'yaml'],
  fixtures: ['validate', 'starter'],
};

test.each(Object.entries(LINES))('%s does and prints the same as a process', async (word, rest) => {
  const url = running().url;
  await run('reset');
  const here = await run(word, ...rest);
  await run('reset');
  const there = await runCli([word, ...rest], { CARD_SANDBOX_URL: url });
  expect(here).toEqual(there);
  expect(there.code).toBe(0);
  expect(there.stdout).not.toBe('');
});

test.each([
  ['a refusal', ['cardholders', 'show', 'ch_nobody']],
  ['an unknown command', ['strat']],
  ['no command', []],
  ['a fixture with a mistake', ['fixtures', 'validate', 'startr']],
  ['the help', ['--help']],
])('%s is the same as a process', async (_, words) => {
  const variables = { CARD_SANDBOX_URL: running().url };
  expect(await runInProcess(words, variables)).toEqual(await runCli(words, variables));
});
