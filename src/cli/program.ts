import { type Command, Help, type Option } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { nearest } from '../core/values/nearest.ts';
import { type AddCommand, subcommand, WrappedCommand, wordsOf } from './command.ts';
import { COMMAND_WORDS, loadCommands } from './commands.ts';
import { reportError, WRONG_USAGE } from './errors.ts';
import { printFailuresAsJson, printUsage, progress } from './output/print.ts';
import { FIRST_STEPS, programHelp } from './overview.ts';

/** The words that a command line can begin with, besides `help`. */
const FIRST_WORDS = [...new Set(COMMAND_WORDS.map(words => words.split(' ')[0] ?? ''))];

/**
 * Runs the command line and resolves with the exit code; never rejects. Every failure prints one message on standard
 * error. A command line without a command is wrong usage and prints the first steps on standard error.
 */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    progress(FIRST_STEPS);
    return WRONG_USAGE;
  }
  let isJson = false;
  let program: Command | null = null;
  try {
    program = await programFor(args);
    isJson = ownWords(program, args).includes('--json');
    printFailuresAsJson(isJson);
    checkWords(program, args);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, program === null ? null : findCommand(args, program), isJson);
  }
}

/**
 * Reports the first word that should be a command and is not as wrong usage, with the nearest command or all that there
 * are. Commander would answer `unknown --help` with the help of the program, and names no subcommands.
 */
function checkWords(command: Command, [word = '-', ...rest]: readonly string[]): void {
  if (command.commands.length === 0 || word.startsWith('-')) return;
  const next = subcommand(command, word);
  if (next !== undefined) {
    checkWords(next, rest);
    return;
  }
  const path = wordsOf(command);
  const isProgram = path.length === 0;
  const names = isProgram ? [...FIRST_WORDS, 'help'] : command.commands.map(each => each.name());
  const leaf = isProgram ? COMMAND_WORDS.find(words => words.split(' ')[1] === word) : undefined;
  const near = nearest(word, names) ?? leaf;
  const all = isProgram ? '' : `\n(The commands are ${names.join(', ')}.)`;
  const hint = near === undefined ? all : `\n(Did you mean ${near}?)`;
  command.error(`error: unknown command '${[...path, word].join(' ')}'${hint}`);
}

/** Returns the words of a command line that belong to its command, and not to what that one runs. */
function ownWords(program: Command, [first = '', ...rest]: readonly string[]): readonly string[] {
  const command = subcommand(program, first) ?? program;
  return [first, ...(command instanceof WrappedCommand ? command.ownWords(rest) : rest)];
}

/** Returns the command that the first words of a command line name, or else the program itself. */
function findCommand([word, ...rest]: readonly string[], command: Command): Command {
  const next = subcommand(command, word);
  return next === undefined ? command : findCommand(rest, next);
}

export async function wholeProgram(): Promise<Command> {
  return programWith((await Promise.all(FIRST_WORDS.map(loadCommands))).flat());
}

async function programFor([first = '', second = '']: readonly string[]): Promise<Command> {
  return programWith(await loadCommands(first === 'help' ? second : first));
}

function programWith(adds: readonly AddCommand[]): Command {
  const program = new WrappedCommand('card-sandbox')
    .configureHelp({ minWidthToWrap: MIN_ROOM, optionTerm, formatHelp })
    .description('A local, stateful simulator of a card-issuing API.')
    .version(pkg.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    // Options of the program stand before the command: those after it may belong to what exec and exam run.
    .enablePositionalOptions()
    .configureOutput({ writeErr: printUsage })
    .showHelpAfterError('(card-sandbox --help lists the commands)')
    .exitOverride();
  for (const add of adds) add(program);
  addHelp(program);
  return program;
}

/** Adds `help [command]`. Commander's own exits with 0 for an unknown command. */
function addHelp(program: Command): void {
  program
    .command('help [command...]')
    .description('Show the help of a command.')
    .helpOption('-h, --help', 'show this help')
    .action((words: readonly string[]) => {
      checkWords(program, words);
      findCommand(words, program).outputHelp();
    });
}

/** A description with less room than this beside its term is not wrapped. */
const MIN_ROOM = 24;

/** Shows the value of an option that needs none as it is typed. */
function optionTerm({ flags }: Option): string {
  return flags.replace(' [', '[=');
}

/** Formats the help of a command. That of the program has a text of its own, because it has too many commands to list. */
function formatHelp(this: Help, command: Command, help: Help): string {
  if (command.parent === null) return programHelp(command.description());
  return Help.prototype.formatHelp.call(this, command, help);
}
