import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/cli/command.ts';
import { ALIASES, SERVED_ELSEWHERE } from '../../../src/cli/from-operations/aliases.ts';
import { plansFor } from '../../../src/cli/from-operations/operation-commands.ts';
import { wholeProgram } from '../../../src/cli/program.ts';
import { operations } from '../../../src/sandbox/operations.ts';

const program = await wholeProgram();
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
const commands = leaves(program).filter(command => command.name() !== 'help');
const plans = plansFor(operations);
const controlIds = operations.filter(({ plane }) => plane === 'control').map(({ id }) => id);

test('every control operation is reached by some command', () => {
  const reached = new Set([
    ...plans.flatMap(({ operation, twin }) => [operation.id, twin?.id]),
    ...Object.keys(SERVED_ELSEWHERE),
  ]);
  expect(controlIds.filter(id => !reached.has(id))).toEqual([]);
  const words = commands.map(each => wordsOf(each).join(' '));
  for (const plan of plans) expect(words).toContain(plan.words.join(' '));
  for (const command of Object.values(SERVED_ELSEWHERE)) expect(words).toContain(command);
});

test('no two operations have the same command', () => {
  const words = plans.map(each => each.words.join(' '));
  expect(words).toEqual([...new Set(words)]);
});

test('aliases name control operations', () => {
  const twins = Object.values(ALIASES).flatMap(({ twin }) => twin ?? []);
  const named = [...Object.keys(ALIASES), ...twins, ...Object.keys(SERVED_ELSEWHERE)];
  expect(named.filter(id => !controlIds.includes(id))).toEqual([]);
});

test('an operation that joins the table is a command at once, with flags from its schema', () => {
  const [first] = operations.filter(({ id }) => id === 'clock.advance');
  if (first === undefined) throw new Error('no clock.advance');
  const added = { ...first, id: 'weather.changeWind', path: '/weather/{city}/wind' };
  const [plan] = plansFor([added]);
  expect(plan).toMatchObject({ words: ['weather', 'change-wind'], params: ['city'], operation: added });
});

test.each(commands.map(command => [wordsOf(command).join(' '), command] as const))(
  '%s explains itself, with an example, and takes --json',
  (words, command) => {
    let help = '';
    command.configureOutput({ writeOut: text => (help += text) });
    command.outputHelp();
    expect(command.description()).toMatch(/^[A-Z].*\.\)?$/s);
    expect(help).toContain(`$ card-sandbox ${words}`);
    expect(command.options.map(({ long }) => long)).toContain('--json');
    for (const option of command.options) expect(option.description).not.toBe('');
  },
);
