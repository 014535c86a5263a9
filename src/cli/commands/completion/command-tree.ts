import type { Command } from 'commander';
import { wordsOf } from '../../command.ts';

/** A command as completion scripts see it. */
export interface CommandNode {
  /** Its words, without the program's own name; empty for the program itself. */
  readonly words: readonly string[];
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly FlagNode[];
}

/** A flag as completion scripts see it. */
export interface FlagNode {
  readonly name: string;
  readonly about: string;
  /** Whether the next word is its value: one of `choices`, or a file when there are no choices. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Returns a command and everything below it, parents first. */
export function commandTree(command: Command): CommandNode[] {
  const commands = command.commands.map(each => ({ name: each.name(), about: firstLine(each) }));
  const flags = command.options.map(
    ({ long, short, description, argChoices, required, optional, negate }) => ({
      name: long ?? short ?? '',
      about: description,
      takesValue: (required || optional) && !negate,
      choices: argChoices ?? [],
    }),
  );
  const help = { name: '--help', about: 'show this help', takesValue: false, choices: [] };
  const node = { words: wordsOf(command), commands, flags: [...flags, help] };
  return [node, ...command.commands.flatMap(commandTree)];
}

function firstLine(command: Command): string {
  return command.description().split('\n')[0] ?? '';
}
