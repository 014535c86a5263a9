/** What a text must contain to have a number with more than two decimals; true for some that have none. */
const MAYBE_DECIMALS = /\d\.\d{3}|\d[eE]/;
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
    marked += text.slice(at, end).replace(NUMBER, marking);
    at = start === -1 ? text.length : endOfString(text, start);
    marked += text.slice(end, at);
  }
  return marked === text ? null : JSON.parse(marked);
}

/** Returns a number with a thousandth for one that has more than two decimals, and any other unchanged. */
function marking(number: string, whole: string, fraction = '', exponent = '0'): string {
  return fraction.length - Number(exponent) > MAX_DECIMALS ? `${exponent === '0' ? whole : 0}.001` : number;
}

/** The index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let quote = start;
  let backslashes: number;
  do {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return text.length;
    backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  } while (backslashes % 2 === 1);
  return quote + 1;
}
