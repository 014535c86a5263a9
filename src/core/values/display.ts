// How pages show values. The search of the control plane finds the same texts.

const MAX_DIGITS = 2;

/** By currency; the one for other units under an empty text. To make a format takes much longer than to use it. */
const formats = new Map<string, Intl.NumberFormat>();

/** Formats an amount: `€1,250.00`, or `1,250.00 USDC` when the unit is not a currency code. No currency hides its hundredths. */
export function money(amount: number, currency: string): string {
  if (/^[A-Z]{3}$/.test(currency)) return formatFor(currency, { style: 'currency', currency }).format(amount);
  return `${formatFor('', { minimumFractionDigits: 2 }).format(amount)} ${currency}`;
}

function formatFor(unit: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = formats.get(unit);
  if (known !== undefined) return known;
  // The yen has no digits by default, and some currencies have three.
  const { minimumFractionDigits = MAX_DIGITS } = new Intl.NumberFormat('en', options).resolvedOptions();
  const digits = {
    minimumFractionDigits: Math.min(minimumFractionDigits, MAX_DIGITS),
    maximumFractionDigits: MAX_DIGITS,
  };
  const format = new Intl.NumberFormat('en', { ...options, ...digits });
  formats.set(unit, format);
  return format;
}

export function readable(identifier: string): string {
  return identifier.replaceAll('_', ' ');
}

export function cardEnd(last4: string): string {
  return `•••• ${last4}`;
}
