const MASK = '***';
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Spaces and dashes that people write between the digits of a card number; a form writes a space as +. */
const SEPARATORS = ' +\\u00a0\\u2009\\u202f\\u2010-\\u2013\\u2212-';
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);
/** At least 13 digits with at most one separator between two of them. */
const LONG_RUN = new RegExp(`\\d(?:[${SEPARATORS}]?\\d){${MIN_DIGITS - 1},}`, 'g');
/** The same without the flag g, which finds faster that most texts have none. */
const HAS_LONG_RUN = new RegExp(LONG_RUN.source);
/** The digits at the end of a text, plain or as JSON escapes, and an escape that was cut. */
const LAST_DIGITS = new RegExp(
  `(?:(?:\\d|\\\\u003\\d)[${SEPARATORS}]?){1,64}(?:\\\\(?:u[\\da-f]{0,3})?)?$`,
  'i',
);

/**
 * Masks card numbers: 13 to 19 digits with a valid Luhn check digit, also with single spaces or dashes between them.
 * More digits in one run are not a card number.
 */
export function maskCardNumbers(text: string): string {
  return HAS_LONG_RUN.test(text) ? text.replace(LONG_RUN, maskRun) : text;
}

/** Masks the digits at which a text was cut, since a card number cannot be recognized by its beginning. */
export function maskCutNumber(text: string): string {
  return text.replace(LAST_DIGITS, MASK);
}

/** Whether a run of digits ends in its Luhn check digit, as card numbers do. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += place % 2 === 0 ? digit : doubled;
  }
  return sum % 10 === 0;
}

/** Masks every sequence of whole groups that is a card number. Other numbers may stand before and after it. */
function maskRun(run: string): string {
  const groups = run.split(SEPARATOR);
  const isMasked = groups.map(() => false);
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length <= MAX_DIGITS; last++) {
      digits += groups[last];
      if (isCardNumber(digits)) isMasked.fill(true, first, last + 1);
    }
  }
  let masked = '';
  let at = 0;
  for (const [index, group] of groups.entries()) {
    // Neighbouring masked groups become one mask.
    const separator = index === 0 ? '' : run.charAt(at - 1);
    if (!isMasked[index]) masked += separator + group;
    else if (index === 0 || !isMasked[index - 1]) masked += separator + MASK;
    at += group.length + 1;
  }
  return masked;
}

function isCardNumber(digits: string): boolean {
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && passesLuhn(digits);
}
