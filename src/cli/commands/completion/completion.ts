import { Argument, type Command } from 'commander';
import { type AddCommands, commandAt, examples, wordsOf } from '../../command.ts';
import { bashScript, fishScript, zshScript } from './scripts.ts';
import { printResult } from '../../output/print.ts';

/** A command as a shell completes it. */
export interface Completed {
  /** Its words, without the program's own name; empty for the program itself. */
  readonly words: readonly string[];
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly CompletedFlag[];
}

/** A flag as a shell completes it. */
export interface CompletedFlag {
  readonly name: string;
  readonly about: string;
  /** Whether the next word is its value; one with choices takes one of those, any other a file. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

const AFTER = `
How to have it in every new shell:
  bash  eval "$(card-sandbox completion bash)" in ~/.bashrc
  zsh   eval "$(card-sandbox completion zsh)" in ~/.zshrc, after compinit
  fish  card-sandbox completion fish > ~/.config/fish/completions/card-sandbox.fish
${examples('completion bash > /etc/bash_completion.d/card-sandbox')}`;

/** Adds `completion`, which prints a script that completes every command the program has. */
export const addCompletion: AddCommands = program => {
  commandAt(program, ['completion'])
    .description('Print a script by which a shell completes commands, flags and their choices.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', AFTER)
    .action((shell: keyof typeof SCRIPTS, flags: { readonly json?: true }) => {
      const script = SCRIPTS[shell](completed(program));
      return printResult(flags.json ? JSON.stringify({ shell, script }) : script.trimEnd());
    });
};

/** The tree of commands from the top, as shells complete it. */
function completed(command: Command): Completed[] {
  const commands = command.commands.map(each => ({ name: each.name(), about: firstSentence(each) }));
  const flags = command.options.map(
    ({ long, short, description, argChoices, required, optional, negate }) => ({
      name: long ?? short ?? '',
      about: description,
      takesValue: (required || optional) && !negate,
      choices: argChoices ?? [],
    }),
  );
  const help = { name: '--help', about: 'show this help', takesValue: false, choices: [] };
  const own = { words: wordsOf(command), commands, flags: [...flags, help] };
  return [own, ...command.commands.flatMap(completed)];
}

function firstSentence(command: Command): string {
  return command.description().split('\n')[0] ?? '';
}
