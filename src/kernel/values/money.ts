import * as z from 'zod';

/** The largest amount that any field takes. Far below where whole hundredths stop being exact. */
export const LARGEST_AMOUNT = 1e12;
const TWO_DECIMALS = /^\d+(?:\.(\d{1,2}))?$/;

/**
 * An amount in whole hundredths of the fixture's unit. Sums are made of these, never of fractions,
 * so that no sum is ever a cent off.
 */
export type Hundredths = number;

/** Reads an amount of at most two decimals into hundredths; null when it has more, is negative or too large. */
export function toHundredths(amount: number): Hundredths | null {
  const match = amount <= LARGEST_AMOUNT ? TWO_DECIMALS.exec(String(amount)) : null;
  return match === null ? null : Math.round(amount * 100);
}

/** The amount that an answer shows. */
export function toAmount(hundredths: Hundredths): number {
  return hundredths / 100;
}

const amountFrom = (least: Hundredths, message: string) =>
  z
    .number()
    .transform((amount, context): Hundredths => {
      const hundredths = toHundredths(amount);
      if (hundredths !== null && hundredths >= least) return hundredths;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({ minimum: toAmount(least), maximum: LARGEST_AMOUNT });

/** An amount in a body or a fixture: zero or more, at most two decimals. Read into hundredths. */
export const Amount = amountFrom(0, 'must be an amount from 0 to 1000000000000 with at most two decimals');

/** An amount of money that moves: as `Amount`, but not zero. */
export const PositiveAmount = amountFrom(
  1,
  'must be an amount above 0, up to 1000000000000, with at most two decimals',
);
