import { expect, test } from 'vitest';
import { failingLines } from '../../../src/tools/exam/exam.ts';

test.each([
  ['node', 'ok 1 - a\nnot ok 2 - b\n  ---', ['not ok 2 - b', '  ---']],
  ['vitest', '\u001b[32m✓\u001b[0m a\n\u001b[31m×\u001b[0m b\n done', ['× b', ' done']],
  ['pytest', 'collected 2\n====\nE   AssertionError: x', ['E   AssertionError: x']],
  ['go', '=== RUN A\n--- FAIL: A (0.0s)\n    a_test.go:3', ['--- FAIL: A (0.0s)', '    a_test.go:3']],
  [
    'an exception',
    'start\nTraceback (most recent call last):\n  File "a.py"',
    ['Traceback (most recent call last):', '  File "a.py"'],
  ],
  ['a thrown error', '[eval]:1\nthrow new Error("no")\nError: no', ['throw new Error("no")', 'Error: no']],
  ['counts of nothing', '0 failed\nthe end', ['0 failed', 'the end']],
])('the failing lines of %s are found', (_, output, lines) => {
  expect(failingLines(output)).toEqual(lines);
});
