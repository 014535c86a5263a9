import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Same as `expect(actual).toEqual(expected)`, but much faster for equal values. A run compares hundreds of thousands. */
export function assertEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
