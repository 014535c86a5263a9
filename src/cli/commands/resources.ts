import type { Command } from 'commander';
import { commandAt, examples } from '../command.ts';
import { NOUNS } from '../from-operations/command-table.ts';
import { printResult } from '../output/print.ts';
import { show } from '../output/show.ts';

export function addResources(program: Command, commandWords: readonly string[]): void {
  commandAt(program, ['resources'])
    .description('List the nouns of the control plane, each with its commands.')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('resources', 'resources --json'))
    .action(({ json }: { readonly json?: true }) => {
      const nouns = Object.entries(NOUNS).map(([noun, about]) => {
        const words = commandWords.filter(each => each.startsWith(`${noun} `));
        return { noun, about, commands: words.map(each => each.slice(noun.length + 1)) };
      });
      return printResult(json ? JSON.stringify(nouns) : show(nouns));
    });
}
