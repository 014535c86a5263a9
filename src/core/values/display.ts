// How pages show values. The search of the control plane finds the same texts.

/** By currency; the one for other units under an empty text. To make a format takes much longer than to use it. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount: `€1,250.00`, or `1,250.00 USDC` when the unit is not a currency code. */
export function money(amount: number, currency: string): string {
  if (/^[A-Z]{3}$/.test(currency)) return formatFor(currency, { style: 'currency', currency }).format(amount);
  return `${formatFor('', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount)} ${currency}`;
}

function formatFor(unit: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const format = formats.get(unit) ?? new Intl.NumberFormat('en', options);
  formats.set(unit, format);
  return format;
}

export function readable(identifier: string): string {
  return identifier.replaceAll('_', ' ');
}

/** Shows a card by the end of its number. */
export function cardEnd(last4: string): string {
  return `•••• ${last4}`;
}
