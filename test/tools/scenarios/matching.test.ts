import { expect, test } from 'vitest';
import { endOf, maskData, maskHeaders } from '../../../src/tools/scenarios/play/masked.ts';
import {
  differences,
  differenceText,
  flatten,
  memberText,
  pathsIn,
  responseMembers,
  selectMembers,
  valueAt,
  valueText,
} from '../../../src/tools/scenarios/play/matching.ts';

test.each<[expected: unknown, good: unknown, bad: unknown, wanted: string, got: string]>([
  ['<any>', null, undefined, 'anything', 'nothing'],
  ['<string>', 'a', 7, 'a text', '7'],
  ['<string>', 'a', '', 'a text', '""'],
  ['<number>', 0, '7', 'a number', '"7"'],
  ['<boolean>', false, 'true', 'true or false', '"true"'],
  ['<list>', [], null, 'a list', 'null'],
  ['<list>', [], {}, 'a list', '{}'],
  ['<object>', {}, [1], 'an object', '[1]'],
  ['<object>', {}, null, 'an object', 'null'],
  ['<object>', {}, 'text', 'an object', '"text"'],
  ['<time>', '2026-03-15T10:00:00.000Z', 'yesterday', 'an ISO 8601 timestamp', '"yesterday"'],
  ['<time>', '2026-03-15T10:00:00.000Z', 7, 'an ISO 8601 timestamp', '7'],
  ['<absent>', undefined, null, 'nothing', 'null'],
  ['/^card_\\d+$/', 'card_12', 'xcard_12', 'a text that matches /^card_\\d+$/', '"xcard_12"'],
  ['/./', 'a', 7, 'a text that matches /./', '7'],
  ['a', 'a', 'A', '"a"', '"A"'],
  [[1], [1], { length: 1 }, '[1]', '{"length":1}'],
  [[1, '<any>'], [1, 2], [1, 2, 3], 'a list of 2', 'a list of 3'],
  [{ a: 1 }, { a: 1, c: 2 }, null, '{"a":1}', 'null'],
  [1, 1, 2, '1', '2'],
  [null, null, 'null', 'null', '"null"'],
])('%j matches %j and not %j', (expected, good, bad, wanted, got) => {
  expect(differences(expected, good, 'body')).toEqual([]);
  expect(differences(expected, bad, 'body')).toEqual([{ path: 'body', expected: wanted, got }]);
});

test('texts with a matcher or a regular expression in their middle are compared as they are', () => {
  expect(differences('a <any> b', 'a <any> b', 'body')).toEqual([]);
  expect(differences('<any> b', 'x', 'body')).toHaveLength(1);
  expect(differences('a <any>', 'x', 'body')).toHaveLength(1);
  expect(differences('a/b/', 'b', 'body')).toHaveLength(1);
  expect(differences('/b/c', 'b', 'body')).toHaveLength(1);
  expect(differences('//', '//', 'body')).toEqual([]);
  expect(differences('/a.\u{1f600}\nb/', 'ax\u{1f600}\nb', 'body')).toEqual([]);
});

test('members that every object inherits are not there', () => {
  expect(differences({ toString: '<absent>' }, {}, 'body')).toEqual([]);
  expect(valueAt({}, 'toString')).toBeUndefined();
});

test('a difference is one line, with the path of its member', () => {
  const found = differences({ data: [1, { id: 2 }] }, { data: [1, {}] }, 'body');
  expect(found.map(differenceText)).toEqual(['body.data[1].id: expected 2, got nothing']);
});

test.each([
  ['body.data[0].id', 1],
  ['body.data[1]', 'x'],
  ['body', { data: [{ id: 1 }, 'x'], empty: null }],
  ['body.data[2]', undefined],
  ['body.data.id', undefined],
  ['body.empty.id', undefined],
  ['body.data[1].id', undefined],
])('the value at %s', (path, value) => {
  expect(valueAt({ body: { data: [{ id: 1 }, 'x'], empty: null } }, path)).toEqual(value);
});

test('a value in a difference is JSON with secrets masked, and at most 200 characters of it', () => {
  expect(valueText('body.name', 'ada')).toBe('"ada"');
  expect(valueText('body.webhookSecret', 'a-very-secret-secret')).not.toContain('very');
  expect(valueText('body.webhookSecrets.webhookSecret[0]', 'a-very-secret-secret')).not.toContain('very');
  const exact = 'x'.repeat(198);
  expect(valueText('body', exact)).toBe(`"${exact}"`);
  expect(valueText('body', `${exact}x`)).toBe(`"${exact}x…`);
});

test('a body is flattened to its members under dotted names', () => {
  const body = { a: 1, b: { c: [2, { d: 3 }] }, e: {}, f: [], g: null };
  expect(flatten(body)).toEqual([
    ['a', 1],
    ['b.c[0]', 2],
    ['b.c[1].d', 3],
    ['e', {}],
    ['f', []],
    ['g', null],
  ]);
  expect(flatten([1], 'body')).toEqual([['body[0]', 1]]);
  expect(flatten('text', 'body')).toEqual([['body', 'text']]);
  expect(flatten({})).toEqual([]);
  expect(pathsIn(body)).toEqual(['a', 'b.c[0]', 'b.c[1].d', 'e', 'f', 'g']);
});

test('what is nested deeper than 100 levels is one member', () => {
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
  expect(flatten(nested(100), 'x')).toEqual([[`x${'[0]'.repeat(100)}`, 1]]);
  expect(flatten(nested(101), 'x')).toEqual([[`x${'[0]'.repeat(100)}`, [1]]]);
});

test('of a response those members matter that the step expects, and of a refusal its error', () => {
  const body = { success: false, error: { code: 'NO' }, id: 1 };
  expect(selectMembers(body, ['id', 'lost'])).toEqual([
    ['id', 1],
    ['lost', undefined],
  ]);
  expect(selectMembers({ id: 1 }, [])).toEqual([['id', 1]]);
  expect(responseMembers(400, body, ['id'])).toEqual([['error.code', 'NO']]);
  expect(responseMembers(399, body, ['id'])).toEqual([['id', 1]]);
  expect(responseMembers(400, { id: 1 }, ['id'])).toEqual([['id', 1]]);
  expect(responseMembers(400, null, [])).toEqual([]);
  expect(responseMembers(400, 'error', [])).toEqual([]);
});

test.each([
  ['ada', 'ada'],
  ['', '""'],
  [[], 'none'],
  [[1, 2], 'a list of 2'],
  [{ a: 1 }, '{"a":1}'],
  [null, 'null'],
  [undefined, ''],
])('%j is shown to people as %j', (value, text) => {
  expect(memberText(value)).toBe(text);
});

test('of a token or a key the last four characters are shown, of a short one none', () => {
  expect(endOf('a-long-token')).toBe('…oken');
  expect(endOf('short-token')).toBe('…');
});

test('masked data keeps its shape, and of tokens their ends', () => {
  const token = 'idp1_test_approve_zoe';
  expect(
    maskData({
      idp1ShareToken: token,
      people: [{ accessToken: token }, 'ada'],
      webhookSecret: 'a-very-secret-secret',
      count: 1,
      none: null,
    }),
  ).toEqual({
    idp1ShareToken: '…_zoe',
    people: [{ accessToken: '…_zoe' }, 'ada'],
    webhookSecret: expect.not.stringContaining('very'),
    count: 1,
    none: null,
  });
  expect(maskData(undefined)).toBeUndefined();
  expect(maskData('text')).toBe('text');
  expect(maskHeaders({ Authorization: 'Bearer a-very-secret-token', Accept: 'text/plain' })).toEqual({
    Authorization: expect.not.stringContaining('very'),
    Accept: 'text/plain',
  });
});
