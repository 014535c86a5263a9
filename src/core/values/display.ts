// How pages show values. The search of the control plane finds the same texts.

const plainFormat = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount: `€1,250.00`, or `1,250.00 USDC` when the unit is not a currency code. */
export function money(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${plainFormat.format(amount)} ${currency}`;
  // To make a format takes much longer than to use it.
  const format = formats.get(currency) ?? new Intl.NumberFormat('en', { style: 'currency', currency });
  formats.set(currency, format);
  return format.format(amount);
}

export function readable(identifier: string): string {
  return identifier.replaceAll('_', ' ');
}

/** Shows a card by the end of its number. */
export function cardEnd(last4: string): string {
  return `•••• ${last4}`;
}
