import { LIVE_KEY_PREFIX } from '../access/api-key.ts';

const MASK = '***';
const SECRET_WORDS = new Set(
  'secret secrets token tokens password passwords key keys otp pin cvv cvc pan authorization'.split(' '),
);
/** Names written without a sign of where their words begin, such as `clientsecret`. */
const RUN_TOGETHER = /(?:secret|token|password)s?$|(?:api|secret|private|access|signing)key|cardnumber/;
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
const SECRET_TEXT =
  /sk_(?:test|live)_[A-Za-z0-9_-]+|\bBearer\s+[A-Za-z0-9._~+/=-]+|\beyJ[\w-]{1,4096}\.[\w-]{1,8192}\.[\w-]{0,8192}|(?<=[?&]signature=)[\da-f]{64}/gi;
const LONG_DIGITS = /(?<!\d)\d{13,19}(?!\d)/g;
/** A member of something like JSON, possibly cut short; of a list or an object only its beginning. */
const MEMBER = /"([^"\\]{1,64})"\s{0,8}:\s{0,8}("(?:[^"\\]|\\.)*"?|[^\s"{[,}\]]+|[{[])/gs;
/** A pair as forms and many plain texts write it; not in a quoted text of JSON, where the member is masked. */
const PAIR = /(?<![\w.[\]-])([\w.[\]-]{1,64})=([^\s&;,"'<>\\]+)/g;
const LIVE_KEY = new RegExp(`${LIVE_KEY_PREFIX}[^\\s"'&\\\\]*`, 'g');
const DEEPEST = 64;

/**
 * Masks what must not be shown in any text: API keys, bearer tokens, JSON Web Tokens, the signatures of signed URLs
 * and card numbers (runs of 13 to 19 digits with a valid Luhn check digit).
 */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, MASK).replace(LONG_DIGITS, digits => (passesLuhn(digits) ? MASK : digits));
}

/**
 * Masks a body: as JSON where it is JSON (and the result is JSON again), as text otherwise; either way with
 * every value whose key names a secret.
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

/** Masks a JSON value, its texts and every value whose key names a secret; the result is JSON again. */
export function redactData(value: unknown): unknown {
  return redactValue(value, 0);
}

/** Masks a query string: the values of parameters that name a secret, and whatever text gives away. */
export function redactQuery(query: string): string {
  const pairs = query.split('&').map(pair => {
    const name = pair.split('=', 1)[0] ?? '';
    const isSecret = namesSecret(decoded(name)) || redactText(decoded(pair)) !== decoded(pair);
    return isSecret ? `${name}=${MASK}` : pair;
  });
  return redactText(pairs.join('&'));
}

/** Takes out keys of the production environment, which are kept nowhere, not even for a moment. */
export function dropLiveKeys(text: string): string {
  const clear = text.includes('%') ? decoded(text) : text;
  return clear.includes(LIVE_KEY_PREFIX) ? clear.replace(LIVE_KEY, MASK) : text;
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

/** A text with its plain characters out of their percent-encoding, however malformed the rest of it is. */
function decoded(text: string): string {
  return text.replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Masks the secret members of what is not, or no longer, JSON. A secret list or object hides all that follows. */
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

/** Masks the values of pairs `name=value` whose name tells a secret. */
function maskPairs(text: string): string {
  return text.replace(PAIR, (pair, name) => (namesSecret(name) ? `${name}=${MASK}` : pair));
}

function namesSecret(name: string): boolean {
  const words = (name.match(WORDS) ?? []).map(word => word.toLowerCase());
  const joined = words.join('');
  return words.some(word => SECRET_WORDS.has(word)) || RUN_TOGETHER.test(joined);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return MASK;
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1));
  const entries = Object.entries(value).map(([name, member]) => {
    const plain = member === null || typeof member === 'boolean';
    return [redactText(name), !plain && namesSecret(name) ? MASK : redactValue(member, depth + 1)];
  });
  return Object.fromEntries(entries);
}

function redactNumber(value: number): number | string {
  // Too long to be held exactly, so that its check digit is lost: most of it would be shown.
  if (Number.isInteger(value) && value > Number.MAX_SAFE_INTEGER && value < 1e19) return MASK;
  return redactText(String(value)) === String(value) ? value : MASK;
}
