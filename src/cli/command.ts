import type { Command } from 'commander';

/** Adds one command, or one command with its subcommands, to the program. */
export type AddCommand = (program: Command) => void;

/**
 * Returns the command at a path of words such as `clock now`. Creates it, and the parents on the way to it, when it
 * does not exist yet. All commands created here share one style of help and usage hints.
 */
export function commandAt(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) command = subcommand(command, word) ?? newCommand(command, word);
  return command;
}

/** Returns the subcommand with this name, or undefined when there is none. */
export function subcommand(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find(each => each.name() === word);
}

/** Returns the words that lead to a command, without the program's own name. */
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
