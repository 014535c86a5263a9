import { afterAll } from 'vitest';
import type { AtEnd } from './cli-process.ts';

/**
 * Returns a function that registers what to end after the tests of the file, the newest first. Call it at the top of the
 * file: Vitest never runs an `afterAll` that another hook adds.
 */
export function atFileEnd(): AtEnd {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return end => void ends.push(end);
}
