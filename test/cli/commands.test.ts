import { expect, test } from 'vitest';
import { COMMAND_WORDS, loadCommands } from '../../src/cli/commands.ts';
import { wholeProgram } from '../../src/cli/program.ts';
import { commandsIn } from './support/commands-in.ts';

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

test.each(commands)('$name explains itself, with an example, and takes --json', ({ name, command }) => {
  let help = '';
  command.configureOutput({ writeOut: text => (help += text) });
  command.outputHelp();
  expect(command.description()).toMatch(/^[A-Z].*\.\)?$/s);
  expect(help).toContain(`$ card-sandbox ${name}`);
  expect(command.options.map(({ long }) => long)).toContain('--json');
  for (const option of command.options) expect(option.description).not.toBe('');
});
