import { Command, type Help } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { type AddCommand, HELP_GROUPS, type HelpGroup, subcommand } from './command.ts';
import { add as env } from './commands/env.ts';
import { add as stop } from './commands/stop.ts';
import { add as wait } from './commands/wait.ts';
import { reportError, WRONG_USAGE } from './errors.ts';
import { FIRST_STEPS } from './first-steps.ts';
import { errorText, printFailuresAsJson, progress } from './output/print.ts';

const EXAMPLES = `
Examples:
  $ card-sandbox start                 # serve a sandbox on http://127.0.0.1:4242
  $ card-sandbox start --help          # list all options of a sandbox
  $ card-sandbox exec -- npm test      # run a command against a temporary sandbox
  $ card-sandbox clock advance 24h     # advance the clock of the running sandbox
  $ card-sandbox requests list         # list recent requests and why they were refused
  $ card-sandbox openapi               # print the OpenAPI document
  $ card-sandbox guide                 # print ten commands and the pitfalls; guide TOPIC solves a task`;

/** The commands that load nothing of the others, because scripts wait for them. The small ones are loaded always. */
const QUICK_COMMANDS: Readonly<Record<string, () => AddCommand | Promise<AddCommand>>> = {
  start: () => import('./commands/start.ts').then(({ add }) => add),
  stop: () => stop,
  wait: () => wait,
  env: () => env,
};

/**
 * Runs the command line and resolves with the exit code; never rejects. Every failure prints one message on standard
 * error. A command line without a command is wrong usage and prints the first steps on standard error.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    progress(FIRST_STEPS);
    return WRONG_USAGE;
  }
  const ordered = moveFlagsToEnd(args);
  const [first = ''] = ordered;
  const isJson = hasJsonFlag(ordered);
  printFailuresAsJson(isJson);
  let program: Command | null = null;
  try {
    program = await programFor(first);
    // What commander prints of a mistake is for people.
    if (isJson) silence(program);
    const isKnown = first.startsWith('-') || subcommand(program, first) !== undefined;
    // For `unknown --help` commander would print the program's help and exit with 0.
    const words = isKnown ? ordered : ordered.filter(arg => arg !== '--help' && arg !== '-h');
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, program === null ? null : findCommand(ordered, program), isJson);
  }
}

/** Returns whether the arguments of a command line, as opposed to those of a command behind `--`, contain `--json`. */
function hasJsonFlag(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

function silence(command: Command): void {
  command.configureOutput({ outputError: () => undefined, writeErr: () => undefined });
  for (const each of command.commands) silence(each);
}

/** Returns the command that the first words of a command line name; the program itself when there is none. */
function findCommand([word, ...rest]: readonly string[], command: Command): Command {
  const next = subcommand(command, word);
  return next === undefined ? command : findCommand(rest, next);
}

/** Returns the program with all its commands. */
export async function wholeProgram(): Promise<Command> {
  const { commands } = await import('./commands.ts');
  return programWith(commands);
}

/** Returns the program with as few commands as a command line that begins with `word` needs. */
async function programFor(word: string): Promise<Command> {
  if (word === '-v' || word === '--version') return programWith([]);
  const load = Object.hasOwn(QUICK_COMMANDS, word) ? QUICK_COMMANDS[word] : undefined;
  if (load !== undefined) return programWith([{ add: await load() }]);
  // Completion reads the definitions of all commands.
  if (word === '' || word === 'help' || word === 'completion' || word.startsWith('-')) return wholeProgram();
  const { entriesFor } = await import('./commands.ts');
  const program = programWith(entriesFor(word));
  // An unknown word is reported with the nearest of all commands.
  return subcommand(program, word) === undefined ? wholeProgram() : program;
}

function programWith(entries: readonly { readonly add: AddCommand; readonly group?: HelpGroup }[]): Command {
  const program = new Command('card-sandbox')
    .configureHelp({ minWidthToWrap: MIN_ROOM, formatItem })
    .description('A local, stateful simulator of a card-issuing API.')
    .version(pkg.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(errorText(text)) })
    .showHelpAfterError('(card-sandbox --help lists the commands)')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  for (const { add, group = 'run' } of [...entries, { add: addHelp, group: 'shell' } as const]) {
    add(program);
    for (const command of program.commands) {
      if (command.helpGroup() === '') command.helpGroup(HELP_GROUPS[group]);
    }
  }
  return program;
}

/** Adds `help [command]`. Commander's own exits with 0 for an unknown command. */
function addHelp(program: Command): void {
  program
    .command('help [command...]')
    .description('Show the help of a command.')
    .helpOption('-h, --help', 'show this help')
    .action((words: readonly string[]) => {
      let command = program;
      for (const [index, word] of words.entries()) {
        const next = subcommand(command, word);
        if (next === undefined)
          program.error(`error: unknown command '${words.slice(0, index + 1).join(' ')}'`);
        command = next;
      }
      command.help();
    });
}

const INDENT = '  ';
/** A description with less room than this beside its term is printed below the term. */
const MIN_ROOM = 24;

/** Formats a term of a help text and its description, so that help fits narrow terminals. */
function formatItem(this: Help, term: string, termWidth: number, description: string, help: Help): string {
  const width = help.helpWidth ?? 80;
  const room = width - termWidth - 2 * INDENT.length;
  const isBeside = room >= MIN_ROOM;
  if (description === '') return INDENT + term;
  const text = help.boxWrap(description, isBeside ? room : Math.max(MIN_ROOM, width - 3 * INDENT.length));
  const margin = ' '.repeat(isBeside ? termWidth + 2 * INDENT.length : 3 * INDENT.length);
  const first = isBeside ? INDENT + term.padEnd(termWidth) + INDENT : `${INDENT}${term}\n${margin}`;
  return first + text.replaceAll('\n', `\n${margin}`);
}

/** Moves `--json`, `--url` and `--control-token` from before the first word to the end, where each command takes them. */
function moveFlagsToEnd(args: readonly string[]): readonly string[] {
  const flags: string[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (/^--(?:json|url=.*|control-token=.*)$/s.test(arg)) flags.push(arg);
    else if (/^--(?:url|control-token)$/.test(arg)) flags.push(arg, ...args.slice(++index, index + 1));
    else break;
  }
  const rest = args.slice(index);
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  return [...rest.slice(0, end), ...flags, ...rest.slice(end)];
}
