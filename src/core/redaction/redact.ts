import { MAX_DEPTH } from '../values/depth.ts';
import { maskCardNumbers, namesIdOrAmount } from './card-numbers.ts';

/** The prefix of production keys (interface section 5.2), which the sandbox never accepts. */
export const LIVE_KEY_PREFIX = 'sk_live_';

const MASK = '***';
const SECRET_TEXT =
  /sk_(?:test|live)_[A-Za-z0-9_-]+|whsec_[A-Za-z0-9+/=_-]+|\bBearer\s+[A-Za-z0-9._~+/=-]+|\beyJ[\w-]{1,4096}\.[\w-]{1,8192}\.[\w-]{0,8192}|(?<=[?&]signature=)[\da-f]{64}/gi;
/** What each secret text has in it: most texts have none of these, which takes much less time to find. */
const MAYBE_SECRET = /sk_(?:test|live)_|whsec_|bearer\s|eyj|signature=/i;
/** A member of JSON-like text, possibly cut off; for an array or object only its first character. */
const MEMBER = /"([^"\\]{1,64})"\s{0,8}:\s{0,8}("(?:[^"\\]|\\.)*"?|[^\s"{[,}\]]+|[{[])/gs;
/** A `name=value` pair of forms, URLs and plain text. */
const PAIR = /(?<![\w.[\]-])([\w.[\]-]{1,64})=([^\s&;,"'<>\\]+)/g;
/** A line of plain text such as `password: hunter2` or `token = xyz`. */
const LINE = /^([ \t]{0,64}([\w.[\]-]{1,64})[ \t]{0,8}[:=][ \t]{0,8})\S.*$/gm;
/** The beginning of JSON with members. */
const DOCUMENT = /^\s{0,8}[{[]/;
/** An escape of a printable ASCII character in JSON, also in JSON within a string. Bounded, so that it stays linear. */
const JSON_ESCAPE = /\\{1,8}u00([2-7][\da-f])/gi;
/** A live key, in which any character can be escaped as in JSON or percent-encoded. */
const LIVE_KEY = new RegExp(
  `${[...LIVE_KEY_PREFIX].map(anyForm).join('')}(?:\\\\{1,8}u00[2-7][\\da-f]|[^\\s"'&\\\\])*`,
  'gi',
);

/**
 * Masks secrets in any text: API keys, webhook secrets, bearer tokens, JSON Web Tokens, the signatures of signed URLs and
 * card numbers (see `maskCardNumbers`). `member` is the name of the member or parameter that holds the text.
 */
export function redactText(text: string, member = ''): string {
  return maskCardNumbers(MAYBE_SECRET.test(text) ? text.replace(SECRET_TEXT, MASK) : text, member);
}

/**
 * Masks secrets, and values whose names denote one. The result for JSON is JSON. A body without any is returned as it was
 * sent, since the spelling of a number can be why it was refused: `50.000`.
 */
export function redactBody(text: string): string {
  const masked = () => redactText(maskLines(maskPairs(maskMembers(decodeEscapes(text)))));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return masked();
  }
  const redacted = JSON.stringify(redactData(value));
  // The text has what a parser drops, too: the first of two members of one name.
  return !redacted.includes(MASK) && masked() === text ? text : redacted;
}

/** Masks the strings of a JSON value, and every value whose name denotes a secret. The result is a JSON value. */
export function redactData(value: unknown): unknown {
  return redactValue(value, 0, '');
}

/** Masks a query string: parameters whose name denotes a secret, and secrets in any text. */
export function redactQuery(query: string): string {
  const pairs = query.split('&').map(pair => {
    const name = pair.split('=', 1)[0] ?? '';
    const plainName = percentDecode(name);
    // A + is a space, except at the beginning of a value, where it is the sign of a phone number.
    const plain = `&${percentDecode(pair.replace(/(?<!=)\+/g, ' '))}`;
    const hasSecret = namesSecret(plainName) || redactText(plain, plainName) !== plain;
    return hasSecret ? `${redactText(plainName) === plainName ? name : MASK}=${MASK}` : pair;
  });
  return pairs.join('&');
}

/** Masks secrets in a path, percent-encoded or not. A segment with one is shown decoded. */
export function redactPath(path: string): string {
  if (!path.includes('%')) return redactText(path);
  const segments = path.split('/').map(segment => {
    const plain = percentDecode(segment);
    const masked = redactText(plain);
    return masked === plain ? segment : masked;
  });
  return redactText(segments.join('/'));
}

/**
 * Removes live keys, which are never stored. Runs for each text of each request, so it looks for the few characters
 * without which there is no live key first.
 */
export function dropLiveKeys(text: string): string {
  if (text.length < LIVE_KEY_PREFIX.length) return text;
  if (!text.includes(LIVE_KEY_PREFIX) && !text.includes('\\u') && !text.includes('%')) return text;
  return text.replace(LIVE_KEY, MASK);
}

/** A pattern of one character: itself, its JSON escape or its percent-encoding. */
function anyForm(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return `(?:${character}|\\\\{1,8}u00${code}|%${code})`;
}

/** Decodes the JSON escapes of printable ASCII characters, except those that would end a string. */
export function decodeEscapes(text: string): string {
  return text.replace(JSON_ESCAPE, (whole, code) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return character === '"' || character === '\\' ? whole : character;
  });
}

/** Decodes the percent-encoded characters of a text; only the ASCII characters when others are malformed. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Malformed: the ASCII characters can still hide a secret.
  }
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

function maskPairs(text: string): string {
  return text.includes('=')
    ? text.replace(PAIR, (pair, name) => (namesSecret(name) ? `${name}=${MASK}` : pair))
    : text;
}

function maskLines(text: string): string {
  return text.replace(LINE, (line, start, name) => (namesSecret(name) ? `${start}${MASK}` : line));
}

function redactValue(value: unknown, depth: number, member: string): unknown {
  if (typeof value === 'string') return redactString(value, depth, member);
  if (typeof value === 'number') return redactNumber(value, member);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return MASK;
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1, member));
  const entries = Object.entries(value).map(([name, item]) => {
    const isHarmless = item === null || typeof item === 'boolean';
    return [redactText(name), !isHarmless && namesSecret(name) ? MASK : redactValue(item, depth + 1, name)];
  });
  return Object.fromEntries(entries);
}

/** Masks the members of a text that is JSON itself, or has pairs: receivers repeat what they got in their errors. */
function redactString(text: string, depth: number, member: string): string {
  if (!DOCUMENT.test(text)) return redactText(maskPairs(text), member);
  try {
    const value: unknown = JSON.parse(text);
    const masked = JSON.stringify(redactValue(value, depth + 1, member));
    return masked === JSON.stringify(value) ? text : masked;
  } catch {
    // It is cut off, or nested too deeply to be written again.
    return redactText(maskPairs(maskMembers(text)), member);
  }
}

function redactNumber(value: number, member: string): number | string {
  // The number is not exact, so its check digit is lost, and it would not be recognized as a card number.
  const isInexact = Number.isInteger(value) && value > Number.MAX_SAFE_INTEGER && value < 1e19;
  if (isInexact && !namesIdOrAmount(member)) return MASK;
  return redactText(String(value), member) === String(value) ? value : MASK;
}

const SECRET_WORDS = new Set(
  (
    'secret secrets token tokens password passwords passwd pwd passcode passcodes passphrase key keys ' +
    'otp otps totp pin pins cvv cvvs cvc cvcs csc cvn pan pans authorization'
  ).split(' '),
);
/** Names of several words, and names without word boundaries such as `clientsecret`. */
const JOINED_WORDS = new RegExp(
  [
    '(?:secret|token|password|passwd|passcode|passphrase|otp|cv[vc]2?)s?$',
    '(?:api|secret|private|access|signing)key',
    'card(?:number|n(?:o|um)$)',
    'primaryaccountnumber',
    'cardverification',
    '(?:security|verification|onetime|confirmation|auth|sms|otp|pin|pass|cv[vc]2?)(?:code|pin|value)s?$',
  ].join('|'),
);
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/** Results by name: the same few names come with every body. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1_000;
const MAX_KNOWN_LENGTH = 64;

/** Whether the name of a member or parameter denotes a secret, such as `webhookSecret`, `cvc2` or `one_time_code`. */
function namesSecret(name: string): boolean {
  const result = known.get(name) ?? denotesSecret(name);
  if (known.size < MAX_KNOWN && name.length <= MAX_KNOWN_LENGTH) known.set(name, result);
  return result;
}

function denotesSecret(name: string): boolean {
  const words = (name.match(WORDS) ?? []).map(word => word.toLowerCase());
  return words.some(word => SECRET_WORDS.has(word)) || JOINED_WORDS.test(words.join(''));
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers with secrets whose names do not denote one. */
const CREDENTIALS = new Set(['cookie', 'set-cookie', 'proxy-authorization', 'x-service-signature']);

const redacted = new WeakMap<Headers, Readonly<Record<string, string>>>();

/**
 * Returns headers with names in lower case, and keys, credentials and secrets in any text masked. Repeated headers are
 * joined with commas. The result is kept for as long as `headers`, which many requests share.
 */
export function redactHeaders(headers: Headers): Readonly<Record<string, string>> {
  const known = redacted.get(headers);
  if (known !== undefined) return known;
  const masked = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const plainName = name.toLowerCase();
    const isSecret = CREDENTIALS.has(plainName) || namesSecret(plainName);
    const text = typeof value === 'string' ? value : value.join(', ');
    masked.set(redactText(plainName), isSecret ? MASK : redactText(text));
  }
  const result = Object.fromEntries(masked);
  redacted.set(headers, result);
  return result;
}
