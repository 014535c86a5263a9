import { readFile } from 'node:fs/promises';
import { Argument } from 'commander';
import { packagePath } from '../../sandbox/fixtures/file/source.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { withChoices } from '../flags.ts';
import { lineWidth, printWhole } from '../output/print.ts';
import { wrapMarkdown } from '../output/wrap.ts';
import { TOPICS } from '../overview.ts';

/** The pages, which coding agents find here as a skill. */
const FOLDER = 'skills/card-sandbox';

export const add: AddCommand = program => {
  commandAt(program, ['guide'])
    .description('Print how to solve a task, with commands that run as they stand.')
    .addArgument(
      withChoices(
        new Argument('[topic]', 'the task (default: when to use the sandbox, ten commands, pitfalls)'),
        TOPICS,
      ),
    )
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('guide', 'guide webhooks'))
    .action(async (topic: string | undefined, { json }: { json?: true }) => {
      const text = await readFile(packagePath(`${FOLDER}/${topic ?? 'SKILL'}.md`), 'utf8');
      const shown = json
        ? `${JSON.stringify({ topic: topic ?? null, text })}\n`
        : wrapMarkdown(text, lineWidth());
      await printWhole(shown);
    });
};
