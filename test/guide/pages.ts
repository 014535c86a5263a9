import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionsOf } from '../docs/support/markdown.ts';

/** The folder of the skill and the pages of the guide. */
export const FOLDER = join(import.meta.dirname, '../../skills/card-sandbox');

/** Returns the text of a page. */
export function readPage(topic: string): string {
  return readFileSync(join(FOLDER, `${topic}.md`), 'utf8');
}

/** Returns the commands of a page: those before the first section, then those of the named sections, or of all. */
export function commandsOf(topic: string, headings?: readonly string[]): string {
  const sections = sectionsOf(readPage(topic));
  const [, page, ...tasks] = sections;
  const names = tasks.map(({ heading }) => heading);
  const unknown = headings?.find(heading => !names.includes(heading));
  if (unknown !== undefined) throw new Error(`${topic}.md has no section ${JSON.stringify(unknown)}`);
  const chosen = headings === undefined ? tasks : tasks.filter(({ heading }) => headings.includes(heading));
  return [page, ...chosen]
    .flatMap(section => section?.blocks ?? [])
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
    .join('');
}
