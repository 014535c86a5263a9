import { Command, CommanderError } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { RefusedError, UnreachableError } from '../client/client.ts';
import { FixtureError } from '../fixtures/file/problems.ts';
import { ScenarioError } from '../scenarios/file/problems.ts';
import type { AddCommands } from './command.ts';
import { Exit, FAILED, UsageError, WRONG_USAGE } from './exit.ts';
import { fitHelp, groupCommands } from './output/help.ts';
import { errorText, failure } from './output/print.ts';
import { explainCall } from './connection/connection.ts';

const EXAMPLES = `
Examples:
  $ card-sandbox start                 a sandbox on http://127.0.0.1:4242
  $ card-sandbox start --help          everything it can be told
  $ card-sandbox exec -- npm test      one for as long as a command runs
  $ card-sandbox clock advance 24h     time passes in the running one
  $ card-sandbox requests list         what was asked of it, and why it said no
  $ card-sandbox openapi               its OpenAPI document`;

/**
 * The commands, in three parts of which only the one that is called is loaded, so that each starts soon. More
 * parts would mean more and smaller files to load, which takes longer than it saves.
 */
const PARTS = {
  start: async (): Promise<readonly AddCommands[]> => [(await import('./commands/sandbox/start.ts')).addStart],
  light: async () => Object.values((await import('./light.ts')).light),
  rest: async () => (await import('./rest.ts')).rest,
} as const;
const PART_OF: Readonly<Record<string, keyof typeof PARTS>> = {
  start: 'start',
  env: 'light',
  wait: 'light',
  tail: 'light',
  listen: 'light',
};

/**
 * Runs the command line and resolves with the exit code. Every failure is one message on standard error;
 * no command at all is wrong usage and shows the help there.
 */
export async function run(args: readonly string[]): Promise<number> {
  const [first = ''] = args;
  const part = Object.hasOwn(PART_OF, first) ? PART_OF[first] : undefined;
  const program = await (part === undefined ? wholeProgram() : programWith([PARTS[part]]));
  try {
    const isKnown = first.startsWith('-') || program.commands.some(each => each.name() === first);
    // Asked for the help of a command that is not there, commander would show its own and call that a success.
    const words = isKnown ? args : args.filter(arg => arg !== '--help' && arg !== '-h');
    await program.parseAsync(behindTheWords(words), { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error);
  }
}

/** The program with all its commands. */
export function wholeProgram(): Promise<Command> {
  return programWith(Object.values(PARTS));
}

async function programWith(parts: readonly (() => Promise<readonly AddCommands[]>)[]): Promise<Command> {
  const program = fitHelp(new Command('card-sandbox'))
    .description('A local, stateful simulator of a card-issuing API.')
    .version(pkg.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(errorText(text)) })
    .showHelpAfterError('(card-sandbox --help lists the commands)')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  for (const add of (await Promise.all(parts.map(load => load()))).flat()) add(program);
  addHelp(program);
  groupCommands(program);
  return program;
}

/** Adds `help [command]`. Commander's own answers an unknown command as if that were a success. */
function addHelp(program: Command): void {
  program
    .command('help [command...]')
    .description('Show the help of a command.')
    .helpOption('-h, --help', 'show this help')
    .action((words: readonly string[]) => {
      let command = program;
      for (const [index, word] of words.entries()) {
        const next = command.commands.find(each => each.name() === word);
        if (next === undefined)
          program.error(`error: unknown command '${words.slice(0, index + 1).join(' ')}'`);
        command = next;
      }
      command.help();
    });
}

/** Flags that stand before the first word, such as `--url`, are put behind the last, where each command takes them. */
function behindTheWords(args: readonly string[]): readonly string[] {
  const early: string[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (/^--(?:json|url=.*|control-token=.*)$/s.test(arg)) early.push(arg);
    else if (/^--(?:url|control-token)$/.test(arg)) early.push(arg, ...args.slice(++index, index + 1));
    else break;
  }
  const rest = args.slice(index);
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  return [...rest.slice(0, end), ...early, ...rest.slice(end)];
}

function explain(error: unknown): number {
  if (error instanceof Exit) return error.code;
  // Commander has said what was wrong already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (error instanceof FixtureError || error instanceof ScenarioError) {
    const what = error instanceof FixtureError ? 'the fixtures' : 'the scenario';
    failure(`${what} cannot be used:\n${error.problems.map(problem => `  ${problem}`).join('\n')}`);
    return FAILED;
  }
  if (error instanceof RefusedError || error instanceof UnreachableError) {
    failure(explainCall(error));
    return FAILED;
  }
  failure(error instanceof Error ? error.message : String(error));
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}
