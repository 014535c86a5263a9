const MASK = '***';
const MIN_DIGITS = 15;
const MAX_DIGITS = 19;
const SCHEMES = /^(?:22(?:0[0-4]|2[1-9]|[3-9])|2[3-6]|27[01]|2720|30[0-59]|3[4-9]|4|5[0-8]|6|8[12]|9792)/;
/** How the numbers of the sandbox's own cards begin, by brand: ranges that no bank issues from. */
export const TEST_RANGES = { visa: '424242', mastercard: '555555' } as const;
/** The numbers of these ranges that people type as examples. No card of the sandbox has one. */
export const EXAMPLE_NUMBERS: readonly string[] = ['4242424242424242', '5555555555554444'];
const TEST_NUMBER = new RegExp(`^(?:${Object.values(TEST_RANGES).join('|')})\\d{10}$`);
const OWN_LENGTH = 16;
/** More digits in a row than a number of the sandbox's own cards has. */
const TOO_LONG = /\d{17,}/g;
/** Spaces and dashes that people write between the digits of a card number; a form writes a space as +. */
const SEPARATORS = ' +\\u00a0\\u2009\\u202f\\u2010-\\u2013\\u2212-';
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);
/** At least 15 digits with at most one separator between two of them; a million at most, for which the stack has room. */
export const LONG_RUNS = new RegExp(`\\d(?:[${SEPARATORS}]?\\d){${MIN_DIGITS - 1},1000000}`, 'g');
/** The sign before a phone number, plain or percent-encoded. After a letter or digit, + is the space of a form. */
const PHONE_SIGN = /(?:(?<!\w)\+|%2b)$/i;
/** The beginning of an id, such as `user_`. */
const ID_PREFIX = /[a-z]_$/i;
/** Cap on the digits that are masked at the end of a text that was cut. */
const MAX_LAST_DIGITS = 64;
/** The digits at the end of a text, plain or as JSON escapes, and an escape that was cut. */
const LAST_DIGITS = new RegExp(
  `(?:(?:\\d|\\\\u003\\d)[${SEPARATORS}]?){1,${MAX_LAST_DIGITS}}(?:\\\\(?:u[\\da-f]{0,3})?)?$`,
  'i',
);
/** The most characters that LAST_DIGITS matches: so many escapes with a separator, and one that was cut. */
const LAST_LENGTH = MAX_LAST_DIGITS * 7 + 5;

/**
 * Masks card numbers: 15 to 19 digits that begin like a card of a known scheme and end in their Luhn check digit, also
 * with single spaces or dashes between them. More digits in one run are not a card number, but can contain the one of a card
 * of the sandbox, such as before its expiry date. A number after `+`, in a phone number, an id or an amount is masked only
 * where it can be the one of a card of the sandbox: `member` is the name of the member or parameter that holds the text.
 */
export function maskCardNumbers(text: string, member = ''): string {
  const withoutOwn = text.replace(TOO_LONG, maskOwnNumbers);
  return withoutOwn.replace(LONG_RUNS, (run: string, at: number) => {
    const before = withoutOwn.slice(Math.max(0, at - 3), at);
    const isId = (namesIdOrAmount(member) && !/\s/.test(text)) || ID_PREFIX.test(before);
    return maskRun(run, isId, /phone/i.test(member) || PHONE_SIGN.test(before));
  });
}

/**
 * Masks every sequence of whole groups that is a card number. Other numbers may stand before and after it, and neighbouring
 * masked groups become one mask. In an id, and where the first group begins a phone number, only numbers of the sandbox's
 * own cards are masked.
 */
function maskRun(run: string, isId: boolean, isPhone: boolean): string {
  const groups = run.split(SEPARATOR);
  const digits = groups.join('');
  let result = '';
  /** The numbers of digits before the group, and up to the end of the last card number. */
  let [before, maskedTo] = [0, 0];
  for (const [index, group] of groups.entries()) {
    const isBesideMask = index > 0 && before <= maskedTo && maskedTo > 0;
    const end = endOfNumber(groups, index, digits, before, isId || (isPhone && index === 0));
    maskedTo = Math.max(maskedTo, end);
    before += group.length;
    const separator = index === 0 ? '' : run.charAt(before - group.length + index - 1);
    if (before > maskedTo) result += separator + group;
    else if (!isBesideMask) result += separator + MASK;
  }
  return result;
}

/** Returns the end of the longest card number that begins with a group, as a number of digits; 0 if none does. */
function endOfNumber(
  groups: readonly string[],
  start: number,
  digits: string,
  from: number,
  isExempt: boolean,
): number {
  let [to, end] = [from, 0];
  for (let next = start; next < groups.length && to - from < MAX_DIGITS; next++) {
    to += groups[next]?.length ?? 0;
    if (to - from < MIN_DIGITS) continue;
    const number = digits.slice(from, to);
    if (isCardNumber(number) && (!isExempt || isOwnNumber(number))) end = to;
  }
  return end;
}

/** Masks the numbers of the sandbox's own cards among more digits. */
function maskOwnNumbers(run: string): string {
  let masked = '';
  for (let at = 0; at < run.length; ) {
    const number = run.slice(at, at + OWN_LENGTH);
    const isOwn = isOwnNumber(number) && passesLuhn(number);
    masked += isOwn ? MASK : run.charAt(at);
    at += isOwn ? OWN_LENGTH : 1;
  }
  return masked;
}

/** Whether the value of a member or parameter is an id or an amount, such as `externalUserId` or `settledAmount`. */
export function namesIdOrAmount(member: string): boolean {
  return /(?:^|_)(?:id|amount)s?$|[a-z](?:Id|Amount)s?$/.test(member);
}

/** Whether these digits can be the number of a card of the sandbox. */
function isOwnNumber(digits: string): boolean {
  return TEST_NUMBER.test(digits) && !EXAMPLE_NUMBERS.includes(digits);
}

export function isCardNumber(digits: string): boolean {
  const fits = digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && SCHEMES.test(digits);
  return fits && passesLuhn(digits);
}

/** Masks the digits at which a text was cut, since a card number cannot be recognized by its beginning. */
export function maskCutNumber(text: string): string {
  return text.slice(0, -LAST_LENGTH) + text.slice(-LAST_LENGTH).replace(LAST_DIGITS, MASK);
}

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - ZERO;
    sum += place % 2 === 0 ? digit : doubledDigit(digit);
  }
  return sum % 10 === 0;
}

const ZERO = '0'.charCodeAt(0);

function doubledDigit(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
