import { endOfString } from './parse-json.ts';

/** What a text must contain to have a number with more than two decimals; true for some that have none. */
export const MAYBE_DECIMALS = /\d\.\d{3}|\d[eE]/;
const NUMBER = /-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/g;
const MAX_DECIMALS = 2;

/**
 * Returns the value of JSON text in which every number with more than two decimals has a thousandth, or null when there
 * is no such number. `JSON.parse` rounds: 99.999999999999999 becomes 100, which looks like an amount. Throws for text
 * that is not valid JSON.
 */
export function parseWithDecimals(text: string): unknown {
  if (!MAYBE_DECIMALS.test(text)) return null;
  let marked = '';
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('"', at);
    const end = start === -1 ? text.length : start;
    marked += withThousandth(text.slice(at, end));
    at = start === -1 ? text.length : endOfString(text, start);
    marked += text.slice(end, at);
  }
  return marked === text ? null : JSON.parse(marked);
}

/** Returns the text of numbers with a thousandth in each that has more than two decimals, and the others unchanged. */
export function withThousandth(numbers: string): string {
  return numbers.replace(NUMBER, (number, whole: string, fraction = '', exponent = '0') =>
    fraction.length - Number(exponent) > MAX_DECIMALS ? `${exponent === '0' ? whole : 0}.001` : number,
  );
}
