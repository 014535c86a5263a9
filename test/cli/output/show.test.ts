import { expect, test } from 'vitest';
import { show } from '../../../src/cli/output/show.ts';

const CARDS = [
  { id: 'card_1', status: 'active', spent: { daily: 5 } },
  { id: 'card_2', status: 'cancelled', spent: { daily: 0 } },
];

test('a list is a table of the members that are not records', () => {
  expect(show(CARDS, undefined, 80)).toBe('id      status\ncard_1  active\ncard_2  cancelled');
});

test('a table that is too wide is a block for each record, also in very few columns', () => {
  const text = show(CARDS, undefined, 16);
  expect(text).toBe('  id      card_1\n  status  active\n\n  id\n    card_2\n  status\n    cancelled');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(16);
});

test('a record is name and value, those of nested records under dotted names', () => {
  expect(
    show(
      { id: 'card_1', spent: { daily: 5 }, tags: ['a', 'b'], attempts: [{ at: 1 }], none: null },
      undefined,
      80,
    ),
  ).toBe(
    [
      '  id              card_1',
      '  spent.daily     5',
      '  tags            a, b',
      '  attempts[0].at  1',
      '  none            -',
    ].join('\n'),
  );
});

test('names of members are escaped like their values, also as titles of a table', () => {
  expect(show([{ '\u009b2J': '\u001b' }], undefined, 80)).toBe('\\u009b2J\n\\u001b');
  expect(show({ '\u009b2J': '\u001b' }, undefined, 80)).toBe('  \\u009b2J  \\u001b');
});

test('a page says how much of the list it is', () => {
  expect(show({ data: CARDS, page: 1, limit: 2, total: 7 }, ['id'], 80)).toBe(
    'id\ncard_1\ncard_2\n2 of 7 (page 1, limit 2)',
  );
});

test('nothing at all is done, an empty list is none, control characters are not obeyed', () => {
  expect(show(null)).toBe('done');
  expect(show([])).toBe('none');
  expect(show({ name: '\u001b[31m' }, undefined, 80)).toBe('  name  \\u001b[31m');
});
