import { expect, test } from 'vitest';
import { OPERATION_COMMANDS } from '../../../src/cli/from-operations/command-table.ts';
import { show } from '../../../src/cli/output/show.ts';
import { widthOf } from '../../../src/cli/output/width.ts';
import { wrapText } from '../../../src/cli/output/wrap.ts';

const CARDS = [
  { id: 'card_1', status: 'active', spent: { daily: 5 } },
  { id: 'card_2', status: 'cancelled', spent: { daily: 0 } },
];

test('a list is a table of the members that are not records', () => {
  expect(show(CARDS, undefined, 80)).toBe('id      status\ncard_1  active\ncard_2  cancelled');
});

test('a table that is too wide keeps one line for each record: whole ids, short times, cut texts', () => {
  const at = '2026-03-15T10:00:00.000Z';
  const rows = ['req_1', 'req_2'].map(id => ({
    id,
    at,
    path: '/v1/partner/cards/card_mia_active',
    rest: 'x',
  }));
  expect(show(rows, undefined, 38)).toBe(
    [
      'id     at              path',
      'req_1  03-15 10:00:00  /v1/partner/ca…',
      'req_2  03-15 10:00:00  /v1/partner/ca…',
      '--json also has rest',
    ].join('\n'),
  );
  for (const width of [10, 24, 38, 60])
    for (const line of show(rows, undefined, width).split('\n'))
      expect(line.length).toBeLessThanOrEqual(width);
  expect(show(rows, undefined, Number.POSITIVE_INFINITY)).toContain(
    `${at}  /v1/partner/cards/card_mia_active  x`,
  );
});

test('what takes two columns of a terminal is counted so, and is never cut in half', () => {
  const rows = [{ id: 'ch_1', name: '美咲🎉🎉鈴木美咲', city: 'Paris' }];
  expect(show(rows, undefined, 80)).toBe('id    name              city\nch_1  美咲🎉🎉鈴木美咲  Paris');
  for (let width = 8; width < 30; width++) {
    const [, line = ''] = show(rows, undefined, width).split('\n');
    expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(line.isWellFormed()).toBe(true);
  }
  expect(wrapText('🎉🎉🎉', 3)).toEqual(['🎉', '🎉', '🎉']);
});

test('a long list in a record is a table of its own', () => {
  const conditions = Array.from({ length: 20 }, (_, index) => ({ id: `c${index}`, count: index }));
  const lines = show({ conditions, summary: { seen: 3 } }, undefined, 80).split('\n');
  expect(lines.slice(0, 3)).toEqual(['conditions', 'id   count', 'c0   0']);
  expect(lines.slice(-2)).toEqual(['', '  summary.seen  3']);
});

test('a terminal of 80 columns shows how often each condition of the coverage was seen', () => {
  const id = 'cardholders.create 409 CARDHOLDER_KYC_LOCKED provider_submitted';
  const condition = { id, kind: 'refusal', section: '4.1', fidelity: 'documented', count: 3, firstAt: null };
  const columns = OPERATION_COMMANDS['coverage show']?.columns;
  const [, title, first] = show({ conditions: Array(13).fill(condition) }, columns, 80).split('\n');
  expect(title).toMatch(/^id +count/);
  expect(first).toMatch(`${id}  3`);
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
