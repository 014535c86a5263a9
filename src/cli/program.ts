import { Command, CommanderError } from 'commander';
import { FixtureError } from '../fixtures/problems.ts';
import { VERSION } from '../sandbox.ts';
import { addOpenApi } from './openapi.ts';
import { errorText, failure, tolerateLostOutput } from './output.ts';
import { addStart } from './start.ts';

/** Exit codes: what was asked failed, or it was asked in the wrong way. */
const FAILED = 1;
const WRONG_USAGE = 2;

const EXAMPLES = `
Examples:
  $ card-sandbox start                 a sandbox on http://127.0.0.1:4242
  $ card-sandbox start --help          everything it can be told
  $ card-sandbox openapi               its OpenAPI document`;

/**
 * Runs the command line and resolves with the exit code. Every failure is one message on standard error;
 * no command at all is wrong usage and shows the help there.
 */
export async function run(args: readonly string[]): Promise<number> {
  tolerateLostOutput();
  const program = new Command('card-sandbox')
    .description('A local, stateful simulator of a card-issuing API.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(errorText(text)) })
    .showHelpAfterError('(card-sandbox --help lists the commands)')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  addStart(program);
  addOpenApi(program);
  addHelp(program);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error);
  }
}

/** Adds `help [command]`. Commander's own answers an unknown command as if that were a success. */
function addHelp(program: Command): void {
  program
    .command('help [command]')
    .description('Show the help of a command.')
    .helpOption('-h, --help', 'show this help')
    .action((name?: string) => {
      const command = name === undefined ? program : program.commands.find(each => each.name() === name);
      if (command === undefined) program.error(`error: unknown command '${name}'`);
      command.help();
    });
}

function explain(error: unknown): number {
  // Commander has said what was wrong already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (error instanceof FixtureError) {
    failure(`the fixtures cannot be used:\n${error.problems.map(problem => `  ${problem}`).join('\n')}`);
    return FAILED;
  }
  failure(error instanceof Error ? error.message : String(error));
  return FAILED;
}
