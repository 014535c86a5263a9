import { DEPTH_RULE, isTooDeep, MAX_DEPTH } from './depth.ts';
import { shorten } from './text.ts';

/** A text of fewer characters cannot be nested too deeply: each level takes two. */
const MIN_DEEP_LENGTH = 2 * MAX_DEPTH;

/** A text that is not JSON, or not one to work with. The message continues the name of the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  /** Returns the index of the character at which the text is not JSON; null where that is not what is wrong. */
  readonly position: (() => number) | null;

  constructor(message: string, position: (() => number) | null = null) {
    super(message);
    this.position = position;
  }
}

/** Parses a JSON text. Throws a JsonError, also for one that is nested deeper than 100 and for half of a character. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The engine's message may quote the text, which may hold a secret. Only the position after it is safe to repeat.
    const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(String(error))?.[1];
    const place = position === undefined ? '' : ` (at character ${position})`;
    throw new JsonError(`is not valid JSON${place}`, () =>
      position === undefined ? findUnexpected(text) : Number(position),
    );
  }
  if (text.length > MIN_DEEP_LENGTH && isTooDeep(value)) throw new JsonError(DEPTH_RULE);
  if (!/\\u[dD][89a-fA-F]/.test(text) || loneSurrogateIn(value) === null) return value;
  throw new JsonError(`${LONE_SURROGATE}; send whole characters`);
}

/** Returns the index of an unexpected token, whose position the engine does not say. The end where the text ends too early. */
function findUnexpected(text: string): number {
  let accepted = 0;
  let refused = text.length + 1;
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (hasUnexpected(text.slice(0, middle))) refused = middle;
    else accepted = middle;
  }
  return accepted;
}

function hasUnexpected(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    // Unlike the message about a text that ends too early.
    return String(error).endsWith('is not valid JSON');
  }
}

export const LONE_SURROGATE = 'contains a lone surrogate, which is not a character';

/** Returns the path of the first text of a JSON value, or name of a member, that has half of a surrogate pair, or null. */
export function loneSurrogateIn(value: unknown): (string | number)[] | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const rest = name.isWellFormed() ? loneSurrogateIn(member) : [];
    if (rest !== null) return [Array.isArray(value) ? Number(name) : name, ...rest];
  }
  return null;
}

/** The index after the closing quote of the string that starts at `start`. */
export function endOfString(text: string, start: number): number {
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

/** Returns the first key in a JSON text that stands twice in one object, with its index, or null. */
export function duplicateKey(text: string): { readonly key: string; readonly position: number } | null {
  const objects: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') objects.push(new Set());
    else if (character === '}') objects.pop();
    if (character !== '"') continue;
    const end = endOfString(text, at);
    if (isKey(text, end)) {
      const raw = text.slice(at, end);
      const key: string = raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1);
      const keys = objects.at(-1);
      if (keys?.has(key)) return { key, position: at };
      keys?.add(key);
    }
    at = end - 1;
  }
  return null;
}

/** The message about a duplicate key, which continues the name of the text. */
export function duplicateRule(key: string): string {
  return `has the key ${JSON.stringify(shorten(key))} twice in one object; keep one and move the rest there`;
}

/** Whether the string that ends at an index is a key. */
function isKey(text: string, end: number): boolean {
  let next = end;
  while (' \t\n\r'.includes(text[next] ?? ':')) next += 1;
  return text[next] === ':';
}
