import { type AddCommand, commandAt, examples, subcommand } from '../command.ts';
import { NOUNS } from '../from-operations/aliases.ts';
import { printResult } from '../output/print.ts';
import { show } from '../output/show.ts';

/** Adds `resources`, which lists the nouns of the control plane with their commands. */
export const add: AddCommand = program => {
  commandAt(program, ['resources'])
    .description('List the nouns of the control plane, each with its commands.')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('resources', 'resources --json'))
    .action(({ json }: { readonly json?: true }) => {
      const nouns = Object.entries(NOUNS).map(([noun, about]) => {
        const commands = subcommand(program, noun)?.commands.map(each => each.name()) ?? [];
        return { noun, about, commands };
      });
      return printResult(json ? JSON.stringify(nouns) : show(nouns));
    });
};
