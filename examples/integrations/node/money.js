// Amounts are decimal numbers with at most two decimals. Sums are kept in whole cents: sums of fractions are not exact.

/** 19.99 is 1999 cents. The nearest cent is exact: 19.99 * 100 is 1998.9999999999998. */
export function toCents(amount) {
  return Math.round(amount * 100);
}

/** The sum in cents of what `amountOf` returns for each record. */
export async function sumInCents(records, amountOf) {
  let cents = 0;
  for await (const record of records) cents += toCents(amountOf(record));
  return cents;
}

/** 1999 cents are "19.99". */
export function formatCents(cents) {
  const sign = cents < 0 ? '-' : '';
  return `${sign}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}
