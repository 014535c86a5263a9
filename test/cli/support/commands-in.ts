import type { Command } from 'commander';

/** A command that does something, as opposed to one that only has subcommands. */
export interface NamedCommand {
  readonly name: string;
  readonly words: readonly string[];
  readonly command: Command;
}

/** Returns every command of a program but `help`. */
export function commandsIn(program: Command, words: readonly string[] = []): NamedCommand[] {
  return program.commands.flatMap((command): NamedCommand[] => {
    const path = [...words, command.name()];
    if (command.commands.length > 0) return commandsIn(command, path);
    return command.name() === 'help' ? [] : [{ name: path.join(' '), words: path, command }];
  });
}

/** Returns the examples in the help of a command, each a line for a shell. */
export function examplesOf(command: Command): string[] {
  let text = '';
  command.configureOutput({
    writeOut(part) {
      text += part;
    },
  });
  command.outputHelp();
  return [...text.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);
}
