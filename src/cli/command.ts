import {
  type AddHelpTextContext,
  type AddHelpTextPosition,
  Command,
  type Option,
  type ParseOptionsResult,
} from 'commander';
import { wrapText } from './output/wrap.ts';

export type AddCommand = (program: Command) => void;

/**
 * A command whose help wraps as a whole, which commander does with what it makes itself and not with the texts around it,
 * and that says whether it runs another one. The value of an option that needs none stands after `=`, or before the `--` of
 * the other command: without one, the next word may begin that command.
 */
export class WrappedCommand extends Command {
  /** Whether it runs another command, which begins with the first word that is not an option. */
  runsCommand = false;

  override passThroughOptions(passThrough = true): this {
    this.runsCommand = passThrough;
    return super.passThroughOptions(passThrough);
  }

  override createCommand(name?: string): WrappedCommand {
    return new WrappedCommand(name);
  }

  /** Returns the words of its command line before `--`, and before the first word of the command that it runs. */
  ownWords(args: readonly string[]): readonly string[] {
    const end = args.indexOf('--');
    const words = end === -1 ? args : args.slice(0, end);
    if (!this.runsCommand) return words;
    const isSeparated = end !== -1;
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? '';
      if (!word.startsWith('-')) return words.slice(0, at);
      if (isSeparated && this.#hasValueNext(words, at)) at += 1;
      const option = this.options.find(({ long, short }) => long === word || short === word);
      while (option?.required && words[at + 1]?.startsWith('-') === false) {
        at += 1;
        if (!option.variadic) break;
      }
    }
    return words;
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const own = this.ownWords(args);
    const isSeparated = args[own.length] === '--';
    const words: string[] = [];
    for (let at = 0; at < own.length; at++) {
      const word = own[at] ?? '';
      if (!this.#isBare(word)) words.push(word);
      else if (isSeparated && this.#hasValueNext(own, at)) words.push(`${word}=${own[++at]}`);
      else words.push(`${word}=`);
    }
    return super.parseOptions([...words, ...args.slice(own.length)]);
  }

  #isBare(word: string): boolean {
    return this.options.some(({ long, optional }) => optional && long === word);
  }

  /** Whether the word after an option that needs none is its value: before `--`, nothing else can stand there. */
  #hasValueNext(words: readonly string[], at: number): boolean {
    const [value = '-', next] = words.slice(at + 1);
    if (!this.#isBare(words[at] ?? '') || value.startsWith('-')) return false;
    return next === undefined || this.options.some(({ long }) => long === next.split('=', 1)[0]);
  }

  /** The `--` before another command is the value of no option. An empty variable counts as unset. */
  override addOption(option: Option): this {
    const { envVar = '' } = option;
    // A pipeline sets one for a secret that it does not have.
    if (process.env[envVar] === '') delete process.env[envVar];
    if (option.required) {
      this.on(`option:${option.name()}`, (value: string) => {
        if (value === '--') this.error(`error: option '${option.flags}' argument missing`);
      });
    }
    return super.addOption(option);
  }

  override addHelpText(
    position: AddHelpTextPosition,
    text: string | ((context: AddHelpTextContext) => string),
  ): this {
    return super.addHelpText(position, context => {
      const { getErrHelpWidth, getOutHelpWidth } = this.configureOutput();
      const width = (context.error ? getErrHelpWidth : getOutHelpWidth)?.() ?? DEFAULT_WIDTH;
      return wrapHelp(typeof text === 'string' ? text : text(context), width);
    });
  }
}

/** The width of help that is not printed on a terminal, as in commander. */
const DEFAULT_WIDTH = 80;

/**
 * Wraps the paragraphs of a text. An indented line stays on its own, with a hanging indent below its last column. Lines to
 * copy are kept as they are.
 */
function wrapHelp(text: string, width: number): string {
  const joined = text.replaceAll(/(?<=^\S.*)\n(?=\S)/gm, ' ');
  return joined
    .split('\n')
    .flatMap(line => {
      const [, term = '', rest = line] = /^( +(?:\S.*? {2,})?)(.*)$/.exec(line) ?? [];
      if (/^[{$]/.test(rest)) return line;
      const [first = '', ...others] = wrapText(rest, width - term.length);
      return [term + first, ...others.map(other => ' '.repeat(term.length) + other)];
    })
    .join('\n');
}

/**
 * Returns the command at a path of words such as `clock now`. Creates it, and the parents on the way to it, when it
 * does not exist yet. All commands created here share one style of help and usage hints.
 */
export function commandAt(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) command = subcommand(command, word) ?? newCommand(command, word);
  return command;
}

export function subcommand(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find(each => each.name() === word);
}

export function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}

function newCommand(parent: Command, word: string): Command {
  const command = parent.command(word);
  const words = wordsOf(command).join(' ');
  return command
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showHelpAfterError(`(card-sandbox ${words} --help shows its usage)`);
}

/** Returns the last lines of a help text: command lines to copy. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map(line => `  $ card-sandbox ${line}`).join('\n')}`;
}
