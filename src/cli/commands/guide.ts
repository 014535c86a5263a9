import { readFile } from 'node:fs/promises';
import { nearest } from '../../core/values/nearest.ts';
import { packagePath } from '../../sandbox/fixtures/file/source.ts';
import { type AddCommand, commandAt, examples } from '../command.ts';
import { UsageError } from '../errors.ts';
import { lineWidth, printWhole } from '../output/print.ts';
import { wrapMarkdown } from '../output/wrap.ts';
import { TOPICS } from '../overview.ts';

/** The pages, which coding agents find here as a skill. */
const FOLDER = 'skills/card-sandbox';

export const add: AddCommand = program => {
  commandAt(program, ['guide'])
    .description('Print how to solve a task, with commands that run as they stand.')
    .argument('[topic]', `${TOPICS.join(', ')} (default: when to use the sandbox, ten commands, pitfalls)`)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('guide', 'guide webhooks'))
    .action(async (topic: string | undefined, { json }: { json?: true }) => {
      const text = await readPage(topic);
      const shown = json
        ? `${JSON.stringify({ topic: topic ?? null, text })}\n`
        : wrapMarkdown(text, lineWidth());
      await printWhole(shown);
    });
};

async function readPage(topic: string | undefined): Promise<string> {
  if (topic !== undefined && !TOPICS.some(each => each === topic)) {
    const similar = nearest(topic, TOPICS);
    const hint = similar === null ? '' : `did you mean ${similar}? `;
    throw new UsageError(`unknown topic '${topic}'; ${hint}topics are ${TOPICS.join(', ')}`);
  }
  return readFile(packagePath(`${FOLDER}/${topic ?? 'SKILL'}.md`), 'utf8');
}
