import { expect, test } from 'vitest';
import { maskCardNumbers } from '../../../src/core/redaction/card-numbers.ts';

const LENGTH = 400_000;
const TIMES = 32;

/** The processor time that masking a text takes, the least of three. */
function costOf(text: string): number {
  const costs = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    maskCardNumbers(text);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...costs);
}

const repeated = (part: string, length = LENGTH) => part.repeat(Math.ceil(length / part.length));

test.each([
  ['numbers that are no card numbers', '4242 4242 4242 4241 '],
  ['card numbers', '4242 4242 4242 4242 '],
  ['single digits', '4 2 '],
  ['one number', '42'],
  ['one number after the other', 'x4242424242424241'],
])('masking %s takes time in proportion to their length', (_, part) => {
  maskCardNumbers(repeated(part, 100_000));
  const [whole, share] = [costOf(repeated(part)), costOf(repeated(part, LENGTH / TIMES))];
  // A cost that grows with the square would be 1,024 times as high. Fresh memory for a long text can double or triple it.
  expect(whole / Math.max(share, 500)).toBeLessThan(TIMES * 8);
});
