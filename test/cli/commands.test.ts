import { expect, test } from 'vitest';
import { COMMAND_WORDS, loadCommands } from '../../src/cli/commands.ts';
import { wholeProgram } from '../../src/cli/program.ts';
import { commandsIn, type NamedCommand } from './support/commands-in.ts';

const commands = commandsIn(await wholeProgram());

test('the list of commands is that of the program, each once', () => {
  expect(commands.map(({ name }) => name).toSorted()).toEqual(COMMAND_WORDS.toSorted());
  expect(COMMAND_WORDS).toEqual([...new Set(COMMAND_WORDS)]);
});

test('a command line loads only the commands that it may mean', async () => {
  expect(await loadCommands('tail')).toHaveLength(1);
  expect(await loadCommands('fixtures')).toHaveLength(1);
  // Those of the table, and `requests explain`.
  expect(await loadCommands('requests')).toHaveLength(2);
  for (const word of ['tial', '', '--help', '__proto__']) expect(await loadCommands(word)).toEqual([]);
});

function helpOf({ command }: NamedCommand): string {
  let help = '';
  command.configureOutput({ writeOut: text => (help += text) });
  command.outputHelp();
  return help;
}

test.each(commands)('$name explains itself, with an example, and takes --json', each => {
  const { name, command } = each;
  expect(command.description()).toMatch(/^[A-Z].*\.\)?$/s);
  expect(helpOf(each)).toContain(`$ card-sandbox ${name}`);
  expect(command.options.map(({ long }) => long)).toContain('--json');
  for (const { long, description, argChoices } of command.options) {
    const words = long?.slice('--'.length).replaceAll('-', ' ') ?? '';
    expect(description).not.toBe('');
    if (argChoices === undefined) expect(description).not.toMatch(new RegExp(`^${words}( \\(|$)`));
  }
});

test('the help of every command wraps, except for lines to copy', () => {
  const lines = commands.flatMap(each => helpOf(each).split('\n'));
  expect(lines.filter(line => line.length > 80 && !/^ {2}[${]/.test(line))).toEqual([]);
});

test.each([
  ['exec', '--artifacts'],
  ['exam', '--only'],
])('the help of %s begins with its own options; those of the sandbox follow', (word, own) => {
  const [command] = commands.filter(({ name }) => name === word);
  if (command === undefined) throw new Error(`no command ${word}`);
  const [, first = '', second = ''] = helpOf(command).split(/^Options.*:$/m);
  const has = (text: string, flag: string) => text.includes(`\n  ${flag} `);
  expect([has(first, own), has(first, '--fixtures')]).toEqual([true, false]);
  expect([has(second, own), has(second, '--fixtures')]).toEqual([false, true]);
});

test('the help of all commands is as it was read last', async () => {
  const texts = commands.map(each => `$ card-sandbox ${each.name} --help\n${helpOf(each)}`);
  await expect(texts.join('\n')).toMatchFileSnapshot('help.txt');
});
