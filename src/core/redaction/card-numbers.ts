import { once } from '../values/once.ts';

const MASK = '***';
const MIN_DIGITS = 15;
const MAX_DIGITS = 19;
const SCHEMES = /^(?:22(?:0[0-4]|2[1-9]|[3-9])|2[3-6]|27[01]|2720|30[0-59]|3[4-9]|4|5[0-8]|6|8[12]|9792)/;
/** How the numbers of the sandbox's own cards begin, by brand: ranges that no bank issues from. */
export const TEST_RANGES = { visa: '424242', mastercard: '555555' } as const;
/** The numbers of these ranges that people type as examples. No card of the sandbox has one. */
export const EXAMPLE_NUMBERS: readonly string[] = ['4242424242424242', '5555555555554444'];
const TEST_NUMBER = new RegExp(`^(?:${Object.values(TEST_RANGES).join('|')})\\d{10}$`);
/** Spaces and dashes that people write between the digits of a card number; a form writes a space as +. */
const SEPARATORS = ' +\\u00a0\\u2009\\u202f\\u2010-\\u2013\\u2212-';
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);
/** At least 15 digits with at most one separator between two of them. */
const LONG_RUN = new RegExp(`\\d(?:[${SEPARATORS}]?\\d){${MIN_DIGITS - 1}}`);
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
 * with single spaces or dashes between them. More digits in one run are not a card number. A number after `+`, in a phone
 * number, an id or an amount is masked only where it can be the one of a card of the sandbox: `member` is the name of the
 * member or parameter that holds the text.
 */
export function maskCardNumbers(text: string, member = ''): string {
  if (!LONG_RUN.test(text)) return text;
  const isPhone = /phone/i.test(member);
  const isId = namesIdOrAmount(member) && !/\s/.test(text);
  const run = new DigitRun(text);
  let masked = '';
  let done = 0;
  for (let at = 0; at < text.length; ) {
    if (!isDigit(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    run.read(at);
    if (run.length >= MIN_DIGITS) {
      const before = text.slice(Math.max(0, at - 3), at);
      masked += text.slice(done, at);
      masked += run.mask(isPhone || PHONE_SIGN.test(before), isId || ID_PREFIX.test(before));
      done = run.end;
    }
    at = run.end;
  }
  return masked + text.slice(done);
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
    const digit = Number(digits[digits.length - 1 - place]);
    sum += place % 2 === 0 ? digit : doubledDigit(digit);
  }
  return sum % 10 === 0;
}

const ZERO = '0'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const HYPHEN = '-'.charCodeAt(0);

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

/** Most separators are ASCII, which takes less time to compare than to match. */
function isSeparator(code: number): boolean {
  return code === SPACE || code === HYPHEN || SEPARATOR.test(String.fromCharCode(code));
}

/**
 * One run of digits in a text after the other, with at most one separator between two digits. All use the same memory. The
 * time is in proportion to the length of the run, however many card numbers it holds.
 */
class DigitRun {
  length = 0;
  end = 0;
  readonly #text: string;
  #start = 0;
  readonly #digits: Uint8Array;
  /** 1 for each digit that begins a group, and at the end. */
  readonly #isBoundary: Uint8Array;
  readonly #isMasked: Uint8Array;
  /** The Luhn sums, modulo 10, of the digits before each: with those at even places doubled, and at odd ones. */
  readonly #evenSums: Uint8Array;
  readonly #oddSums: Uint8Array;

  constructor(text: string) {
    this.#text = text;
    const create = () => new Uint8Array(text.length + 1);
    this.#digits = create();
    this.#isBoundary = create();
    this.#isMasked = create();
    this.#evenSums = create();
    this.#oddSums = create();
  }

  read(start: number): void {
    const text = this.#text;
    let count = 0;
    let even = 0;
    let odd = 0;
    let end = start;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isDigit(code)) {
        const digit = code - ZERO;
        const isEven = count % 2 === 0;
        even = (even + (isEven ? doubledDigit(digit) : digit)) % 10;
        odd = (odd + (isEven ? digit : doubledDigit(digit))) % 10;
        this.#isBoundary[count] = at === end && at !== start ? 0 : 1;
        this.#digits[count++] = digit;
        this.#evenSums[count] = even;
        this.#oddSums[count] = odd;
        end = at + 1;
      } else if (at > end || !isSeparator(code)) break;
    }
    this.#isBoundary[count] = 1;
    this.#start = start;
    this.length = count;
    this.end = end;
  }

  /**
   * Returns the text of the run in which every sequence of whole groups that is a card number is masked. Other numbers may
   * stand before and after it. Where the first group begins a phone number, and in an id, only numbers of the sandbox's
   * own cards are masked.
   */
  mask(isPhone: boolean, isId: boolean): string {
    let maskedTo = 0;
    for (let from = 0; from + MIN_DIGITS <= this.length; from++) {
      if (this.#isBoundary[from] === 0 || !this.#beginsLikeCard(from)) continue;
      const last = Math.min(from + MAX_DIGITS, this.length);
      for (let to = from + MIN_DIGITS; to <= last; to++) {
        if (this.#isBoundary[to] === 0 || !this.#passesLuhn(from, to)) continue;
        const isExempt = isId || (isPhone && from === 0);
        if (isExempt && !isOwnNumber(this.#digits.subarray(from, to).join(''))) continue;
        if (maskedTo === 0) this.#isMasked.fill(0, 0, this.length);
        this.#isMasked.fill(1, Math.max(from, maskedTo), to);
        maskedTo = Math.max(maskedTo, to);
      }
    }
    return maskedTo === 0 ? this.#text.slice(this.#start, this.end) : this.#withMasks();
  }

  #beginsLikeCard(at: number): boolean {
    let start = 0;
    for (let place = at; place < at + 4; place++) start = start * 10 + (this.#digits[place] ?? 0);
    return schemeTable()[start] === 1;
  }

  /** Whether the digits from an index to before another one end in their check digit. The last digit is not doubled. */
  #passesLuhn(from: number, to: number): boolean {
    const sums = to % 2 === 0 ? this.#evenSums : this.#oddSums;
    return sums[from] === sums[to];
  }

  /** Replaces masked digits. Neighbouring masked groups become one mask. */
  #withMasks(): string {
    let result = '';
    let done = this.#start;
    let index = 0;
    for (let at = this.#start; at < this.end; at++) {
      if (!isDigit(this.#text.charCodeAt(at))) continue;
      if (this.#isMasked[index] === 1) {
        if (index === 0 || this.#isMasked[index - 1] === 0) result += this.#text.slice(done, at) + MASK;
        done = at + 1;
      }
      index += 1;
    }
    return result + this.#text.slice(done, this.end);
  }
}

function doubledDigit(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}

/** By the first four digits: 1 where they begin the number of a card. */
const schemeTable = once(() =>
  Uint8Array.from({ length: 10_000 }, (_, start) => Number(SCHEMES.test(String(start).padStart(4, '0')))),
);
