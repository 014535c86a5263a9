import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failedTests, findFailure } from '../../../src/tools/exam/failing-lines.ts';

const FOLDER = join(import.meta.dirname, 'outputs');

/** What runners print of the same tests, by default and without a terminal (that of Go by hand). */
const outputs = await Promise.all(
  (await readdir(FOLDER))
    .filter(name => name !== 'shown.txt')
    .map(async name => ({
      runner: name.replace('.txt', ''),
      output: await readFile(join(FOLDER, name), 'utf8'),
    })),
);

test('of what a runner prints, the first failing test is shown with its message and its places', async () => {
  const texts = outputs.map(({ runner, output }) => {
    const names = [...failedTests(output)];
    return `=== ${runner}: ${names.length} failed\n${names.join('\n')}\n---\n${findFailure(output).join('\n')}\n`;
  });
  await expect(texts.join('\n')).toMatchFileSnapshot('outputs/shown.txt');
});

test('a failure of another test is shown if there is one, and at most eight lines of it', () => {
  for (const { runner, output } of outputs) {
    const [first = ''] = failedTests(output);
    const lines = findFailure(output, new Set([first]));
    expect(lines.length, runner).toBeLessThanOrEqual(8);
    expect(lines, runner).not.toEqual(findFailure(output));
    // With none left, the ignored one is better than nothing.
    expect(findFailure(output, failedTests(output)), runner).toEqual(findFailure(output));
  }
});

test('tests of the same title are two, so that one that fails besides another is noticed', () => {
  const pytest =
    '____ test_total ____\nE  x\ntests/a.py:1: Error\n____ test_total ____\nE  y\ntests/b.py:1: Error\n';
  expect([...failedTests(pytest)]).toEqual(['____ test_total ____', '____ test_total ____ (2)']);
});

test.each([
  [
    'the line of an exception',
    'loading\nTypeError: x is not a function\n    at run (app.js:3:5)\n',
    'TypeError: x is not a function',
  ],
  ['a line that says that something failed', 'ok\n3 checks failed\n0 errors\n', '3 checks failed'],
  ['the last lines of an output without a failure', 'one\n\ntwo\n0 failed\n', 'one'],
])('%s is shown of a program that is no test runner', (_, output, first) => {
  expect(findFailure(output)[0]).toBe(first);
});
