import { expect, test } from 'vitest';
import { wholeProgram } from '../../src/cli/program.ts';
import { runHere, sharedSandbox } from '../support/processes/command.ts';
import { runCli } from '../support/processes/process.ts';

// Most tests run the command line inside their own process. These show that they could as well have run the program.

const { run, running } = sharedSandbox();

/** A line for every command, by its first word. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  env: ['--format', 'sh'],
  wait: ['--json'],
  health: [],
  info: ['--json'],
  assumptions: ['list', '--json'],
  events: ['list'],
  requests: ['list'],
  records: ['cards'],
  openapi: ['--format', 'yaml'],
  fixtures: ['validate', 'starter'],
  reset: [],
  state: ['save'],
  checkpoint: ['save', 'before'],
  clock: ['advance', '1h'],
  partners: ['list'],
  'share-token': ['--outcome', 'reject'],
  'kyc-sessions': ['approve', 'kycs_omar_pending'],
  cardholders: ['show', 'ch_mia_approved'],
  trigger: ['card.issued', '--resource', 'card_mia_active'],
  simulate: ['authorize', 'card_mia_active', '5'],
  balance: ['show'],
  faults: ['add', '--status', '503'],
  webhooks: ['show-config', '--json'],
  completion: ['bash'],
  help: ['clock', 'advance'],
};
/** These play, wait or start other programs: the tests that have their names run them as processes. */
const IN_OTHER_TESTS = ['start', 'exec', 'tail', 'listen', 'demo', 'run', 'doctor'];

test('every command is here or has such tests of its own', async () => {
  const { commands } = await wholeProgram();
  const words = commands.map(each => each.name());
  expect(words.toSorted()).toEqual([...Object.keys(LINES), ...IN_OTHER_TESTS].toSorted());
});

test.each(Object.entries(LINES))('%s does and says the same as a process', async (word, rest) => {
  const url = running().listening.url;
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
  ['wrong usage', ['clock', 'advance', '90']],
  ['wrong usage of start', ['start', '--prot', '1']],
  ['an unknown command', ['strat']],
  ['no command', []],
  ['a fixture with a mistake', ['fixtures', 'validate', 'startr']],
  ['the help', ['--help']],
])('%s is the same as a process', async (_, words) => {
  const variables = { CARD_SANDBOX_URL: running().listening.url };
  expect(await runHere(words, variables)).toEqual(await runCli(words, variables));
});
