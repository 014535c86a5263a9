import { expect, test } from 'vitest';
import { wholeProgram } from '../../src/cli/program.ts';
import { runInProcess } from '../support/cli-in-process.ts';
import { commandsIn, examplesOf, type NamedCommand } from './support/commands-in.ts';
import { deserted } from './support/deserted.ts';

const url = await deserted();
const commands = commandsIn(await wholeProgram());

/** `listen` and `demo` work without a sandbox, and `state load` reads its file first. */
const EXCEPT = ['listen', 'demo', 'state load'];
/** The commands that call a running sandbox. */
const callers = commands.filter(
  ({ words, command }) =>
    command.options.some(({ long }) => long === '--url') && !EXCEPT.includes(words.join(' ')),
);

function errorIn(stderr: string): { readonly message: string; readonly hint: string } {
  expect(stderr).toMatch(/^\{.*\}\n$/);
  const { error, ...others } = JSON.parse(stderr);
  expect(others).toEqual({});
  expect(Object.keys(error)).toEqual(['message', 'hint']);
  return error;
}

test.each(commands)('$name --json reports an unknown flag as JSON', async each => {
  const { words } = each;
  const { code, stdout, stderr } = await runInProcess([
    ...[...words, '--no-such-flag', '--json'],
    ...exampleArguments(each),
  ]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const { message, hint } = errorIn(stderr);
  expect(message).toBe("unknown option '--no-such-flag'");
  expect(hint).toContain(`card-sandbox ${words.join(' ')} --help shows its usage`);
});

test.each(callers)('$name --json reports that no sandbox answers as JSON', async each => {
  const args = [...each.words, ...exampleArguments(each), ...fast(each), '--url', url, '--json'];
  const { code, stdout, stderr } = await runInProcess(args);
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
  const { message, hint } = errorIn(stderr);
  expect(message).toBe(`no sandbox answers at ${url} (ECONNREFUSED)`);
  expect(hint).toMatch(/^start one with card-sandbox start, or pass its address/);
});

/** `wait` would wait for a sandbox. */
function fast({ name }: NamedCommand): readonly string[] {
  return name === 'wait' ? ['--timeout', '200ms'] : [];
}

/** The arguments of a command's first example. Values that the shell would compute are ids that need not exist. */
function exampleArguments({ words, command }: NamedCommand): string[] {
  const [line = ''] = examplesOf(command);
  const [, text = ''] = line.replaceAll(/"\$\(.*\)"/g, 'some_id').split(`card-sandbox ${words.join(' ')}`);
  const [own = ''] = text.split(/ (?:[|>&;]|&&|>>) ?/);
  return (own.match(/"[^"]*"|\S+/g) ?? []).map(word => word.replaceAll('"', ''));
}
