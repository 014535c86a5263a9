import { expect, test } from 'vitest';
import { duration, money, relativeTime, waitingTime } from '../../src/dashboard/ui/format.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [0, '0 s'],
  [59.4 * SECOND, '59 s'],
  [MINUTE - 1, '1 m'],
  [MINUTE, '1 m'],
  [90 * SECOND, '1 m 30 s'],
  [HOUR - SECOND, '59 m 59 s'],
  [HOUR, '1 h'],
  [24 * HOUR, '24 h'],
  [47 * HOUR + 59 * MINUTE, '47 h 59 m'],
  [48 * HOUR - SECOND, '47 h 59 m'],
  [48 * HOUR, '2 d'],
  [7 * 24 * HOUR + 23 * HOUR, '7 d'],
])('a duration of %d ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('a time is before or after now', () => {
  const now = Date.parse('2026-03-15T10:00:00.000Z');
  expect(relativeTime('2026-03-15T10:05:00.000Z', now)).toBe('in 5 m');
  expect(relativeTime('2026-03-15T08:00:00.000Z', now)).toBe('2 h ago');
});

test('a wait is in milliseconds up to a second, then in seconds', () => {
  expect([2.34, 999.9, 2_002.3].map(waitingTime)).toEqual(['2.3 ms', '999.9 ms', '2.0 s']);
});

test('an amount has its currency, or its unit when that is no currency code', () => {
  expect(money(1250, 'EUR')).toBe('€1,250.00');
  expect(money(1250, 'USDC')).toBe('1,250.00 USDC');
  expect(money(12.34, 'JPY')).toBe('¥12.34');
  expect(money(12, 'JPY')).toBe('¥12');
  expect(money(1.5, 'KWD').replace(/\s/, ' ')).toBe('KWD 1.50');
});
