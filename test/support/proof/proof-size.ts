import type { TestContext } from 'vitest';

/** Whether this is the full run of `npm run prove`, not the short one of `npm test`. */
export const isFullRun = process.env.CARD_SANDBOX_PROOF === 'full';

/**
 * The size of a test: `short` for `npm test` and `npm run check`, `full` for `npm run prove`, which takes two to three
 * hours on two cores.
 */
export function size(short: number, full: number): number {
  return isFullRun ? full : short;
}

/** All cases for `npm run prove`, and for the short run about `count` of them, spread over the whole list. */
export function sample<T>(cases: readonly T[], count: number): readonly T[] {
  const step = isFullRun ? 1 : Math.max(1, cases.length / count);
  return cases.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}

/** The limit of a test of a proof in milliseconds: far above what it takes on a busy machine. */
export const PROOF_TIMEOUT_MS = size(600_000, 4 * 3_600_000);

/** Records what a test has tried, for `npm run prove`. */
export function recordResult({ task }: TestContext, text: string): void {
  // Only `prove.js` reads this property.
  (task.meta as { measured?: string }).measured = text;
}
