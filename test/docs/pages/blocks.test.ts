import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ELSEWHERE, openingBlocks, PAGES, pageBlocks, ROOT } from './blocks.ts';

test.each(PAGES)('every block of %s is run by a test, or there is a reason not to', page => {
  const blocks = pageBlocks(page);
  // Commands run page by page, and files that a page shows are written for its commands.
  const isRun = blocks.filter(
    ({ language, file, elsewhere }) => elsewhere !== undefined || language === 'sh' || file !== undefined,
  );
  expect(
    blocks.filter(block => !isRun.includes(block)).map(({ line, text }) => `${page}:${line}: ${text}`),
  ).toEqual([]);
});

test('every exception is about a block, and names a test that exists or a reason', () => {
  const blocks = PAGES.flatMap(pageBlocks);
  const stale = ELSEWHERE.filter(each => !blocks.some(({ elsewhere }) => elsewhere === each));
  expect(stale).toEqual([]);
  const unexplained = ELSEWHERE.filter(({ ranBy, reason = '' }) =>
    ranBy === undefined ? reason === '' : !existsSync(join(ROOT, ranBy)),
  );
  expect(unexplained).toEqual([]);
});

/** About the source tree, not about the sandbox. */
const WITHOUT_COMMAND = ['docs/architecture.md'];

test.each(PAGES.filter(page => page.startsWith('docs/') && !WITHOUT_COMMAND.includes(page)))(
  '%s starts with the command that answers its question',
  page => {
    const [first] = openingBlocks(page);
    // Or with the file that the command takes.
    expect(first).toSatisfy(block => block?.language === 'sh' || block?.file !== undefined);
  },
);
