import type { Command } from 'commander';

/** Adds commands to the program, or to a group of it. */
export type AddCommands = (program: Command) => void;

/**
 * The command at a path of words such as `clock now`, with the groups on the way to it. Made when it is not
 * there yet; its help and its hints are those of every other command.
 */
export function commandAt(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    command = command.commands.find(each => each.name() === word) ?? newCommand(command, word);
  }
  return command;
}

/** The words that lead to a command, the program's own name left out. */
export function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}

function newCommand(parent: Command, word: string): Command {
  const command = parent.command(word);
  const words = wordsOf(command).join(' ');
  return command
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showHelpAfterError(`(card-sandbox ${words} --help shows how it is used)`);
}

/** The last lines of a help: commands to copy. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map(line => `  $ card-sandbox ${line}`).join('\n')}`;
}
