import { Command } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { FIRST_STEPS } from './commands/guide/first-steps.ts';
import { type CommandEntry, commands, entriesFor } from './commands.ts';
import { WRONG_USAGE } from './exit.ts';
import { fitHelp, groupCommands } from './output/help.ts';
import { errorText, printFailuresAsJson, progress } from './output/print.ts';
import { reportError } from './report-error.ts';

const EXAMPLES = `
Examples:
  $ card-sandbox start                 # serve a sandbox on http://127.0.0.1:4242
  $ card-sandbox start --help          # list all options of a sandbox
  $ card-sandbox exec -- npm test      # run a command against a temporary sandbox
  $ card-sandbox clock advance 24h     # advance the clock of the running sandbox
  $ card-sandbox requests list         # list recent requests and why they were refused
  $ card-sandbox openapi               # print the OpenAPI document
  $ card-sandbox guide                 # print ten commands and the pitfalls; guide TOPIC solves a task`;

/**
 * Runs the command line and resolves with the exit code; never rejects. Every failure prints one message on standard
 * error. A command line without a command is wrong usage and prints the first steps on standard error.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    progress(FIRST_STEPS);
    return WRONG_USAGE;
  }
  const ordered = flagsLast(args);
  const [first = ''] = ordered;
  const isJson = hasJsonFlag(ordered);
  printFailuresAsJson(isJson);
  let program: Command | undefined;
  try {
    program = await programFor(first);
    // What commander prints of a mistake is for people.
    if (isJson) silence(program);
    const isKnown = first.startsWith('-') || hasCommand(program, first);
    // For `unknown --help` commander would print the program's help and exit with 0.
    const words = isKnown ? ordered : ordered.filter(arg => arg !== '--help' && arg !== '-h');
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, program === undefined ? [] : wordsIn(ordered, program), isJson);
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

/** Returns the words of the command that a command line names. */
function wordsIn([word, ...rest]: readonly string[], command: Command): string[] {
  const next = command.commands.find(each => each.name() === word);
  return word === undefined || next === undefined ? [] : [word, ...wordsIn(rest, next)];
}

/** Returns the program with all its commands. */
export function wholeProgram(): Promise<Command> {
  return programWith(commands);
}

/** Returns the program with as few commands as a command line that begins with `word` needs. */
async function programFor(word: string): Promise<Command> {
  if (word === '-v' || word === '--version') return programWith([]);
  if (word === '' || word === 'help' || word.startsWith('-')) return wholeProgram();
  const program = await programWith(entriesFor(word));
  // An unknown word is reported with the nearest of all commands.
  return hasCommand(program, word) ? program : wholeProgram();
}

function hasCommand(program: Command, word: string): boolean {
  return program.commands.some(each => each.name() === word);
}

async function programWith(entries: readonly CommandEntry[]): Promise<Command> {
  const program = fitHelp(new Command('card-sandbox'))
    .description('A local, stateful simulator of a card-issuing API.')
    .version(pkg.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(errorText(text)) })
    .showHelpAfterError('(card-sandbox --help lists the commands)')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  const modules = await Promise.all(entries.map(({ load }) => load()));
  for (const [index, { group }] of entries.entries()) {
    modules[index]?.add(program);
    groupCommands(program, group);
  }
  addHelp(program);
  groupCommands(program, 'shell');
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
        const next = command.commands.find(each => each.name() === word);
        if (next === undefined)
          program.error(`error: unknown command '${words.slice(0, index + 1).join(' ')}'`);
        command = next;
      }
      command.help();
    });
}

/** Moves `--json`, `--url` and `--control-token` from before the first word to the end, where each command takes them. */
function flagsLast(args: readonly string[]): readonly string[] {
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
