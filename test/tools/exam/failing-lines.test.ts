import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failedTests, findFailure } from '../../../src/tools/exam/failing-lines.ts';

/**
 * What runners printed of the same tests, by default and without a terminal: seven pass, one compares two lists, and one
 * gets an error of the app. The version of the runner is in the name. That of Go is written by hand.
 */
const OUTPUTS = join(import.meta.dirname, 'outputs');

test.each([
  [
    'vitest-4.1',
    'cards.test.mjs',
    [
      'FAIL  cards.test.mjs > onboarding > a user gets one card',
      "AssertionError: expected [ 'card_1', 'card_2' ] to deeply equal [ 'card_1' ]",
      '- Expected',
      '+ Received',
      '+   "card_2",',
      '❯ cards.test.mjs:11:19',
    ],
  ],
  [
    'jest-30.5',
    'tests/cards.test.js',
    [
      '● onboarding › a user gets one card',
      'expect(received).toEqual(expected) // deep equality',
      '- Expected  - 0',
      '+ Received  + 1',
      '+   "card_2",',
      '> 10 |     expect(cards).toEqual(["card_1"]);',
      'at Object.toEqual (tests/cards.test.js:10:19)',
    ],
  ],
  [
    'node-24',
    'tests/cards.node.js',
    [
      'test at tests/cards.node.js:10:3',
      '✖ a user gets one card (2.019004ms)',
      'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:',
      '+ actual - expected',
      "+   'card_2'",
      'at TestContext.<anonymous> (/home/me/shop/tests/cards.node.js:12:12)',
    ],
  ],
  [
    'node-20',
    '/home/me/shop/tests/cards.node.js',
    [
      'not ok 8 - a user gets one card',
      "location: '/home/me/shop/tests/cards.node.js:10:3'",
      'Expected values to be strictly deep-equal:',
      '+ actual - expected',
      "+   'card_2'",
      'TestContext.<anonymous> (/home/me/shop/tests/cards.node.js:12:12)',
    ],
  ],
  [
    'mocha-11.8',
    'tests/cards.mocha.js',
    [
      '1) onboarding',
      'a user gets one card:',
      'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:',
      '+ expected - actual',
      '-  "card_2"',
      'at Context.<anonymous> (tests/cards.mocha.js:12:12)',
    ],
  ],
  [
    'pytest-9.0',
    'tests/test_cards.py',
    [
      'test_a_user_gets_one_card',
      '>       assert cards == ["card_1"]',
      "E       AssertionError: assert ['card_1', 'card_2'] == ['card_1']",
      "E         Left contains one more item: 'card_2'",
      'E         Use -v to get more diff',
      'tests/test_cards.py:12: AssertionError',
    ],
  ],
  [
    'unittest-3.11',
    '/home/me/shop/test_unit.py',
    [
      'ERROR: test_a_card_can_be_frozen (test_unit.CardsTest.test_a_card_can_be_frozen)',
      'client.ApiError: 409: the card is already frozen',
      'File "/home/me/shop/test_unit.py", line 10, in test_a_card_can_be_frozen',
      'File "/home/me/shop/client.py", line 6, in freeze',
    ],
  ],
  [
    'go-1.24',
    'cards_test.go',
    ['--- FAIL: TestUserGetsOneCard (0.01s)', 'cards_test.go:22: got 2 cards, want 1', 'card_1', 'card_2'],
  ],
  [
    'surefire-3.2',
    'CardsTest.java',
    [
      '[ERROR] com.example.CardsTest.aUserGetsOneCard -- Time elapsed: 0.030 s <<< FAILURE!',
      'org.opentest4j.AssertionFailedError: expected: <[card_1]> but was: <[card_1, card_2]>',
      'at com.example.CardsTest.aUserGetsOneCard(CardsTest.java:14)',
    ],
  ],
])('of %s: the test, the message and the place are shown', (runner, file, lines) => {
  const failure = findFailure(readFileSync(join(OUTPUTS, `${runner}.txt`), 'utf8'));
  expect(failure.lines.map(line => line.trim())).toEqual(lines);
  expect(failure.file).toBe(file);
});

test.each([
  ['TAP', 'ok 1 - a\nnot ok 2 - b\n  ---', ['not ok 2 - b']],
  [
    'a suite of Go with its test',
    '--- FAIL: TestA (0.0s)\n    --- PASS: TestA/error (0.0s)\n    --- FAIL: TestA/b (0.0s)\n        a_test.go:3: no',
    ['--- FAIL: TestA/b (0.0s)', '  a_test.go:3: no'],
  ],
  [
    'a Vitest that was stopped',
    ' ❯ a.test.ts (2 tests | 1 failed) 9ms\n   ✓ an error is shown 320ms\n   × b 5ms',
    ['❯ a.test.ts (2 tests | 1 failed) 9ms', '  × b 5ms'],
  ],
  [
    'an exception in Python',
    'error: none\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\n  File "b.py", line 2, in f\n    g()\n  File "c.py", line 3, in g\n    raise E(1)\nE: 1\n',
    [
      'Traceback (most recent call last):',
      '  E: 1',
      '    File "b.py", line 2, in f',
      '    File "c.py", line 3, in g',
    ],
  ],
  [
    'a thrown error',
    '[eval]:1\nretrying after an error\nError: no\n    at f (/a/b.js:1:2)\n    at g (node:internal/x:1:2)',
    ['Error: no', '  at f (/a/b.js:1:2)'],
  ],
  ['other words', 'start\n1 failed: b\n2 passed', ['1 failed: b', '  2 passed']],
  ['counts of nothing', '0 failed\nthe end', ['0 failed', 'the end']],
  ['nothing but tests that passed', '✓ a failed payment\nok 1 - an error\n--- PASS: TestFAIL (0.0s)', []],
  ['nothing', '', []],
])('of %s: what matters is shown', (_, output, lines) => {
  expect(findFailure(output).lines).toEqual(lines);
});

test('a long message is cut, and the place is still there', () => {
  const message = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
  const { lines } = findFailure(
    ` FAIL  a.test.ts > b\nError: many\n${message}\n ❯ a.test.ts:3:4\n ❯ b.ts:1:1`,
  );
  expect(lines).toHaveLength(8);
  expect(lines.slice(-2)).toEqual(['   ❯ a.test.ts:3:4', '   ❯ b.ts:1:1']);
});

test.each(['vitest-4.1', 'jest-30.5', 'node-24', 'node-20', 'pytest-9.0', 'go-1.24', 'surefire-3.2'])(
  'the tests that failed are known by name in the output of %s, whatever their durations',
  runner => {
    const output = readFileSync(join(OUTPUTS, `${runner}.txt`), 'utf8');
    const names = failedTests(output);
    expect(names.size).toBeGreaterThanOrEqual(2);
    expect(failedTests(output.replaceAll(/\d+(\.\d+)?(?= ?m?s\b)/g, '77'))).toEqual(names);
    const { lines } = findFailure(output);
    const [first = ''] = names;
    expect(findFailure(output, new Set([first])).lines).not.toEqual(lines);
    expect(findFailure(output, names).lines).toEqual(lines);
  },
);

test('output of an unknown runner names no failed tests', () => {
  expect(failedTests('Error: no\n1 failed').size).toBe(0);
});

test('lines are shown without the spaces at their end, and at most 300 characters of them', () => {
  const { lines } = findFailure(` FAIL  a.test.ts > b\nError: ${'x'.repeat(400)}\nno   \r\n`);
  expect(lines[1]).toBe(`  Error: ${'x'.repeat(293)}`);
  expect(lines[2]).toBe('  no');
});

test('the file of a test is the nearest one before the failure where the failure names none', () => {
  const jest = (file: string, name: string) => `FAIL ${file}\n  ● ${name}\n\n    Error: no\n`;
  const output = jest('tests/a.test.js', 'one') + jest('tests/b.test.js', 'two');
  expect(findFailure(output).file).toBe('tests/a.test.js');
  expect(findFailure(output, new Set(['● one'])).file).toBe('tests/b.test.js');
});
