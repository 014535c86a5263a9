/** Cap on the nesting of a JSON text; the text itself is the first level. */
const MAX_DEPTH = 100;

const [QUOTE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];

/** A text that is not JSON, or not one to work with. The message continues the name of the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** Parses a JSON text. Throws a JsonError, also for one that is nested deeper than 100 and for half of a character. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new JsonError(`must not be nested deeper than ${MAX_DEPTH}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the text, which may hold a secret. Only the position is safe to repeat.
    const position = /position (\d+)/.exec(String(error))?.[1];
    throw new JsonError(`is not valid JSON${position === undefined ? '' : ` (at character ${position})`}`);
  }
  if (!/\\u[dD][89a-fA-F]/.test(text) || !hasLoneSurrogate(value)) return value;
  throw new JsonError('contains a lone surrogate, which is not a character; send whole characters');
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Whether a string of a JSON value has half of a surrogate pair. */
function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => !name.isWellFormed() || hasLoneSurrogate(member));
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
