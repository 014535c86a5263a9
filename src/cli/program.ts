import { Command, CommanderError } from 'commander';
import { FixtureError } from '../fixtures/problems.ts';
import { OptionError } from '../options.ts';
import { VERSION } from '../sandbox.ts';
import { failure } from './output.ts';
import { startCommand } from './start.ts';

/** Exit codes: what was asked failed, or it was asked in the wrong way. */
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs the command line and resolves with the exit code. Every failure is one message on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  const program = new Command('card-sandbox')
    .description('A local, stateful simulator of a card-issuing API.')
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(card-sandbox --help lists what there is)')
    .addCommand(startCommand());
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (error instanceof OptionError) {
    const flag = error.option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
    failure(`--${flag}: ${error.message}`);
    return WRONG_USAGE;
  }
  if (error instanceof FixtureError) {
    failure(`the fixtures cannot be used:\n${error.problems.map(problem => `  ${problem}`).join('\n')}`);
    return FAILED;
  }
  failure(error instanceof Error ? error.message : String(error));
  return FAILED;
}
