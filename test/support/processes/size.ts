import type { TestContext } from 'vitest';

/** Whether this is the long run of `npm run prove`, not the short one of `npm test`. */
export const isNightly = process.env.CARD_SANDBOX_PROOF === 'nightly';

/** How much of something to do: a bit of it, or what a proof takes. */
export function size(short: number, nightly: number): number {
  return isNightly ? nightly : short;
}

/** How long a test may take, in milliseconds: as given, or without an end that matters. */
export function patience(short: number): number {
  return size(short, 4 * 3_600_000);
}

/** Notes what a test has measured, for the table of `npm run prove`. The same on every machine, please. */
export function measured({ task }: TestContext, text: string): void {
  // The table is all that reads it.
  (task.meta as { measured?: string }).measured = text;
}
