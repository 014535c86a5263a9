const MASK = '***';
const MIN_DIGITS = 15;
const MAX_DIGITS = 19;
/** A phone number has 7 to 15 digits (E.164). */
const MIN_PHONE_DIGITS = 7;
const MAX_PHONE_DIGITS = 15;
/** How the numbers of the known schemes begin. */
const SCHEMES = /^(?:22(?:0[0-4]|2[1-9]|[3-9])|2[3-6]|27[01]|2720|30[0-59]|3[4-9]|4|5[0-8]|6|8[12]|9792)/;
/** How the numbers of the sandbox's own cards begin, by brand: ranges that no bank issues from. Masked in ids, too. */
export const TEST_RANGES = { visa: '424242', mastercard: '555555' } as const;
const OWN_NUMBER = new RegExp(`^(?:${Object.values(TEST_RANGES).join('|')})\\d{10}$`);
/** Spaces and dashes that people write between the digits of a card number; a form writes a space as +. */
const SEPARATORS = ' +\\u00a0\\u2009\\u202f\\u2010-\\u2013\\u2212-';
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);
/** At least 15 digits with at most one separator between two of them. */
const LONG_RUN = new RegExp(`\\d(?:[${SEPARATORS}]?\\d){${MIN_DIGITS - 1},}`, 'g');
/** The same without the flag g, which finds faster that most texts have none. */
const HAS_LONG_RUN = new RegExp(LONG_RUN.source);
/** The sign before a phone number, plain or percent-encoded. After a letter or digit, + is the space of a form. */
const PHONE_SIGN = /(?:(?<!\w)\+|%2b)$/i;
/** The beginning of an id, such as `user_`. */
const ID_PREFIX = /[a-z]_$/i;
/** The digits at the end of a text, plain or as JSON escapes, and an escape that was cut. */
const LAST_DIGITS = new RegExp(
  `(?:(?:\\d|\\\\u003\\d)[${SEPARATORS}]?){1,64}(?:\\\\(?:u[\\da-f]{0,3})?)?$`,
  'i',
);

/**
 * Masks card numbers: 15 to 19 digits that begin like a card of a known scheme and end in their Luhn check digit, also
 * with single spaces or dashes between them. More digits in one run are not a card number, and neither is a phone number,
 * an id or an amount: `member` is the name of the member or parameter that holds the text.
 */
export function maskCardNumbers(text: string, member = ''): string {
  if (!HAS_LONG_RUN.test(text)) return text;
  const isPhone = /phone/i.test(member);
  const isId = namesIdOrAmount(member) && !/\s/.test(text);
  return text.replace(LONG_RUN, (run: string, offset: number) => {
    const before = text.slice(Math.max(0, offset - 3), offset);
    return maskRun(run, isPhone || PHONE_SIGN.test(before), isId || ID_PREFIX.test(before));
  });
}

/** Whether the value of a member or parameter is an id or an amount, such as `externalUserId` or `settledAmount`. */
export function namesIdOrAmount(member: string): boolean {
  return /(?:^|_)(?:id|amount)s?$|[a-z](?:Id|Amount)s?$/.test(member);
}

/** Whether digits without separators are a card number. */
export function isCardNumber(digits: string): boolean {
  const fits = digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && SCHEMES.test(digits);
  return fits && passesLuhn(digits);
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

/**
 * Masks every sequence of whole groups that is a card number. Other numbers may stand before and after it. A phone number
 * begins with the first group; in an id, only numbers of the sandbox's own cards are masked.
 */
function maskRun(run: string, isPhone: boolean, isId: boolean): string {
  const groups = run.split(SEPARATOR);
  const isMasked = groups.map(() => false);
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length <= MAX_DIGITS; last++) {
      digits += groups[last];
      if (first === 0 && isPhone && isPhoneNumber(groups[0] ?? '', digits)) continue;
      if (isId ? isOwnNumber(digits) : isCardNumber(digits)) isMasked.fill(true, first, last + 1);
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

/** Whether digits are a phone number, or begin with one that is a group of its own. */
function isPhoneNumber(firstGroup: string, digits: string): boolean {
  if (digits.length <= MAX_PHONE_DIGITS) return true;
  return firstGroup.length >= MIN_PHONE_DIGITS && firstGroup.length <= MAX_PHONE_DIGITS;
}

function isOwnNumber(digits: string): boolean {
  return OWN_NUMBER.test(digits) && passesLuhn(digits);
}
