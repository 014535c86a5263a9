import { Command, Help } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { nearest } from '../core/values/nearest.ts';
import { type AddCommand, subcommand, wordsOf } from './command.ts';
import { add as env } from './commands/env.ts';
import { add as stop } from './commands/stop.ts';
import { add as wait } from './commands/wait.ts';
import { reportError, WRONG_USAGE } from './errors.ts';
import { FORMER_WORDS } from './from-operations/aliases.ts';
import { errorText, printFailuresAsJson, progress } from './output/print.ts';
import { FIRST_STEPS, programHelp } from './overview.ts';

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
  const ordered = withPresentWords(moveFlagsToEnd(args));
  const [first = ''] = ordered;
  const isJson = hasJsonFlag(ordered);
  printFailuresAsJson(isJson);
  let program: Command | null = null;
  try {
    program = await programFor(first);
    // What commander prints of a mistake is for people.
    if (isJson) silence(program);
    checkWords(program, ordered);
    await program.parseAsync(ordered, { from: 'user' });
    return 0;
  } catch (error) {
    return reportError(error, program === null ? null : findCommand(ordered, program), isJson);
  }
}

/**
 * Reports the first word that should be a command and is none as wrong usage, with the nearest command or all that there
 * are. Commander would answer `unknown --help` with the help of the program, and names no subcommands.
 */
function checkWords(command: Command, [word = '-', ...rest]: readonly string[]): void {
  if (command.commands.length === 0 || word.startsWith('-')) return;
  const next = subcommand(command, word);
  if (next !== undefined) {
    checkWords(next, rest);
    return;
  }
  const names = command.commands.map(each => each.name());
  const leaf = command.commands.find(each => subcommand(each, word) !== undefined);
  const near = nearest(word, names) ?? (leaf === undefined ? null : `${leaf.name()} ${word}`);
  const all = command.parent === null ? '' : `\n(The commands are ${names.join(', ')}.)`;
  const hint = near === null ? all : `\n(Did you mean ${near}?)`;
  command.error(`error: unknown command '${[...wordsOf(command), word].join(' ')}'${hint}`);
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
  // Completion and the list of nouns read the definitions of all commands.
  if (['', 'help', 'completion', 'resources'].includes(word) || word.startsWith('-')) return wholeProgram();
  const { entriesFor } = await import('./commands.ts');
  const program = programWith(entriesFor(word));
  // An unknown word is reported with the nearest of all commands.
  return subcommand(program, word) === undefined ? wholeProgram() : program;
}

function programWith(entries: readonly { readonly add: AddCommand }[]): Command {
  const program = new Command('card-sandbox')
    .configureHelp({ minWidthToWrap: MIN_ROOM, formatHelp, formatItem })
    .description('A local, stateful simulator of a card-issuing API.')
    .version(pkg.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureOutput({ outputError: (text, write) => write(errorText(text)) })
    .showHelpAfterError('(card-sandbox --help lists the commands)')
    .exitOverride();
  for (const { add } of entries) add(program);
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
      findCommand(words, program).help();
    });
}

const INDENT = '  ';
/** A description with less room than this beside its term is printed below the term. */
const MIN_ROOM = 24;

/** Formats the help of a command. That of the program has a text of its own, because it has too many commands to list. */
function formatHelp(this: Help, command: Command, help: Help): string {
  if (command.parent === null) return programHelp(command.description());
  return Help.prototype.formatHelp.call(this, command, help);
}

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

/** Replaces the words of a command that has moved. */
function withPresentWords(args: readonly string[]): readonly string[] {
  const start = args[0] === 'help' ? 1 : 0;
  for (const [former, present] of Object.entries(FORMER_WORDS)) {
    const words = former.split(' ');
    if (words.some((word, index) => args[start + index] !== word)) continue;
    return [...args.slice(0, start), ...present.split(' '), ...args.slice(start + words.length)];
  }
  return args;
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
