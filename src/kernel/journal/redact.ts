import { LIVE_KEY_PREFIX } from '../access/api-key.ts';

const MASK = '***';
const SECRET_WORDS = new Set(
  'secret secrets token tokens password passwords key keys otp pin cvv cvc pan authorization'.split(' '),
);
/** Names without word boundaries, such as `clientsecret`. */
const JOINED_WORDS = /(?:secret|token|password)s?$|(?:api|secret|private|access|signing)key|cardnumber/;
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
const SECRET_TEXT =
  /sk_(?:test|live)_[A-Za-z0-9_-]+|\bBearer\s+[A-Za-z0-9._~+/=-]+|\beyJ[\w-]{1,4096}\.[\w-]{1,8192}\.[\w-]{0,8192}|(?<=[?&]signature=)[\da-f]{64}/gi;
const LONG_DIGITS = /(?<!\d)\d{13,19}(?!\d)/g;
/** A member of JSON-like text, possibly cut off; for an array or object only its first character. */
const MEMBER = /"([^"\\]{1,64})"\s{0,8}:\s{0,8}("(?:[^"\\]|\\.)*"?|[^\s"{[,}\]]+|[{[])/gs;
/** A `name=value` pair of forms and plain text. Does not match inside JSON strings, where the member is masked. */
const PAIR = /(?<![\w.[\]-])([\w.[\]-]{1,64})=([^\s&;,"'<>\\]+)/g;
const LIVE_KEY = new RegExp(`${LIVE_KEY_PREFIX}[^\\s"'&\\\\]*`, 'g');
const MAX_DEPTH = 64;

/**
 * Masks secrets in any text: API keys, bearer tokens, JSON Web Tokens, the signatures of signed URLs and card numbers
 * (runs of 13 to 19 digits with a valid Luhn check digit).
 */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, MASK).replace(LONG_DIGITS, digits => (passesLuhn(digits) ? MASK : digits));
}

/**
 * Masks a body, including every value whose name denotes a secret. The result for JSON is JSON; anything else is masked
 * as text.
 */
export function redactBody(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return redactText(maskPairs(maskMembers(text)));
  }
  return JSON.stringify(redactData(value));
}

/** Masks the strings of a JSON value, and every value whose name denotes a secret. The result is a JSON value. */
export function redactData(value: unknown): unknown {
  return redactValue(value, 0);
}

/** Masks a query string: parameters whose name denotes a secret, and secrets in any text. */
export function redactQuery(query: string): string {
  const pairs = query.split('&').map(pair => {
    const name = pair.split('=', 1)[0] ?? '';
    const isSecret =
      namesSecret(percentDecode(name)) || redactText(percentDecode(pair)) !== percentDecode(pair);
    return isSecret ? `${name}=${MASK}` : pair;
  });
  return redactText(pairs.join('&'));
}

/** Removes live keys, which are never stored. */
export function dropLiveKeys(text: string): string {
  const plain = text.includes('%') ? percentDecode(text) : text;
  return plain.includes(LIVE_KEY_PREFIX) ? plain.replace(LIVE_KEY, MASK) : text;
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

/** Decodes the percent-encoded ASCII characters of a text; the rest may be malformed. */
function percentDecode(text: string): string {
  return text.replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Masks the secret members of text that is not valid JSON. A secret array or object removes all text after it. */
function maskMembers(text: string): string {
  let masked = '';
  let done = 0;
  for (const { 0: member, 1: name = '', 2: value = '', index } of text.matchAll(MEMBER)) {
    if (!namesSecret(name)) continue;
    masked += `${text.slice(done, index)}"${name}":"${MASK}"`;
    if (value === '{' || value === '[') return masked;
    done = index + member.length;
  }
  return masked + text.slice(done);
}

/** Masks the values of `name=value` pairs whose name denotes a secret. */
function maskPairs(text: string): string {
  return text.replace(PAIR, (pair, name) => (namesSecret(name) ? `${name}=${MASK}` : pair));
}

function namesSecret(name: string): boolean {
  const words = (name.match(WORDS) ?? []).map(word => word.toLowerCase());
  const joined = words.join('');
  return words.some(word => SECRET_WORDS.has(word)) || JOINED_WORDS.test(joined);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1));
  const entries = Object.entries(value).map(([name, member]) => {
    const isHarmless = member === null || typeof member === 'boolean';
    return [redactText(name), !isHarmless && namesSecret(name) ? MASK : redactValue(member, depth + 1)];
  });
  return Object.fromEntries(entries);
}

function redactNumber(value: number): number | string {
  // The number is not exact, so its check digit is lost, and it would not be recognized as a card number.
  if (Number.isInteger(value) && value > Number.MAX_SAFE_INTEGER && value < 1e19) return MASK;
  return redactText(String(value)) === String(value) ? value : MASK;
}
