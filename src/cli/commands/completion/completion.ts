import { Argument } from 'commander';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { printResult } from '../../output/print.ts';
import { commandTree } from './command-tree.ts';
import { bashScript, fishScript, zshScript } from './scripts.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;

const AFTER = `
To enable it in every new shell:
  bash  add eval "$(card-sandbox completion bash)" to ~/.bashrc
  zsh   add eval "$(card-sandbox completion zsh)" to ~/.zshrc, after compinit
  fish  run card-sandbox completion fish > ~/.config/fish/completions/card-sandbox.fish
${examples('completion bash > card-sandbox.bash')}`;

/** Adds `completion`, which prints a shell script that completes every command of the program. */
export const add: AddCommand = program => {
  commandAt(program, ['completion'])
    .description('Print a shell script that completes commands, flags and their choices.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', AFTER)
    .action((shell: Shell, { json }: { readonly json?: true }) => {
      const script = SCRIPTS[shell](commandTree(program));
      return printResult(json ? JSON.stringify({ shell, script }) : script.trimEnd());
    });
};
