import { expect, test } from 'vitest';
import { closeDistance, nearest, suggestion } from '../../../src/core/values/nearest.ts';
import { shorten } from '../../../src/core/values/text.ts';

test.each([
  ['status', 'status', 0],
  ['STATUS', 'status', 0],
  ['statu', 'status', 1],
  ['statuss', 'status', 1],
  ['stotus', 'status', 1],
  ['sttaus', 'status', 1],
  ['tsatsu', 'status', 2],
  ['stxxus', 'status', 2],
  ['stxxxs', 'status', null],
  ['a', 'b', 1],
  ['a', 'bc', null],
  ['ab', 'cd', null],
  ['', 'a', 1],
  ['', 'ab', null],
  ['abcdefghi', 'abcdef', 3],
  ['abcdefghi', 'abcde', null],
  ['x'.repeat(200), `${'x'.repeat(199)}y`, 1],
  ['x'.repeat(201), `${'x'.repeat(200)}y`, null],
  ['x'.repeat(201), 'x'.repeat(201), 0],
])('between %j and %j there are %j slips', (written, candidate, slips) => {
  expect(closeDistance(written, candidate)).toBe(slips);
});

test('the nearest candidate is suggested, the first of several, and none that is not close', () => {
  const names = ['daily', 'monthly', 'allTime', 'weekly'];
  expect(nearest('monthl', names)).toBe('monthly');
  expect(nearest('bat', ['cat', 'rat'])).toBe('cat');
  expect(nearest('weekly', ['weekl', 'weekly', 'wekly'])).toBe('weekly');
  expect(nearest('yearly', ['daily'])).toBeNull();
  expect(nearest('externalUserID', ['email', 'externalUserId'])).toBe('externalUserId');
  expect(suggestion('daly', names)).toBe(', did you mean "daily"?');
  expect(suggestion('nothing', names)).toBe('');
});

test('input is repeated up to 200 characters', () => {
  expect(shorten('x'.repeat(200))).toBe('x'.repeat(200));
  expect(shorten('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});
