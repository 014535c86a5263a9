import { expect, test } from 'vitest';
import { TOPICS } from '../../src/cli/overview.ts';
import { blocksOf } from '../docs/support/markdown.ts';
import { runInProcess } from '../support/cli-in-process.ts';
import { headingsOf, readPage } from './pages.ts';
import { TASKS } from './tasks.ts';

const MAX_BYTES = 6_300;

test.each(TASKS)('at most 6,300 bytes are read to: $task', async ({ page }) => {
  // What is read on the way: what the bare command prints, the skill that it names, and the page that the skill names.
  const [first, skill] = await Promise.all([runInProcess([]), runInProcess(['guide'])]);
  const read = [first.stderr, skill.stdout, readPage(page)];
  expect(first.stderr).toContain('guide ');
  expect(skill.stdout).toContain(`| \`${page}\` |`);
  const bytes = read.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});

test('there are at least 25 tasks, and every section of the guide solves one of them', () => {
  expect(TASKS.length).toBeGreaterThanOrEqual(25);
  const solved = TASKS.flatMap(({ page, sections }) => sections.map(section => `${page}: ${section}`));
  const all = TOPICS.flatMap(topic => headingsOf(topic).map(heading => `${topic}: ${heading}`));
  expect(all.filter(each => !solved.includes(each))).toEqual(['debug: Follow']);
});

test.each(['SKILL', ...TOPICS])('every block of %s is of shell commands, which run', page => {
  const blocks = blocksOf(readPage(page));
  expect(blocks.filter(({ language }) => language !== 'sh')).toEqual([]);
  expect(blocks.length).toBeGreaterThan(0);
});
