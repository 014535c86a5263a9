import { ToolError } from './tool.ts';

/** The most characters of an answer. */
export const MAX_PART = 6_000;
/** How many long answers are kept. */
const MAX_KEPT = 20;
/** A member of an object that is longer than this is broken into lines. */
const MAX_INLINE = 400;

export interface Part {
  readonly text: string;
  readonly part: number;
  readonly parts: number;
}

/**
 * The long answers of a client, in parts. Later parts are read by repeating the call, which is then not made again, so
 * that they fit together and nothing happens twice.
 */
export class LongAnswers {
  readonly #kept = new Map<string, readonly string[]>();

  /** Returns the first part of an answer and keeps the others for calls with the same `key`. */
  first(key: string, answer: unknown): Part {
    const parts = partsOf(linesOf(answer));
    this.#kept.delete(key);
    if (parts.length > 1) this.#kept.set(key, parts);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return { text: parts[0] ?? '', part: 1, parts: parts.length };
  }

  /** Returns a later part of a long answer. Throws when there is none. */
  later(key: string, part: number): Part {
    const parts = this.#kept.get(key);
    if (parts === undefined) {
      throw new ToolError(
        `part ${part}: no long answer to a call with these arguments is kept`,
        'make the call without "part" first; only the last long answers are kept',
      );
    }
    const text = parts[part - 1];
    if (text !== undefined) return { text, part, parts: parts.length };
    throw new ToolError(
      `part ${part}: the answer has ${parts.length} parts`,
      `pass a part from 1 to ${parts.length}`,
    );
  }
}

/** Returns JSON as lines: one for each entry of a list, and for each short member of an object. */
function linesOf(value: unknown, indent = ''): string[] {
  const json = JSON.stringify(value) ?? 'null';
  if (typeof value !== 'object' || value === null || json.length <= MAX_INLINE) return [indent + json];
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).filter(([, entry]) => isList || entry !== undefined);
  const lines = entries.flatMap(([name, entry], index) => {
    const [first = '', ...rest] = linesOf(entry, inner);
    const label = isList ? first : `${inner}${JSON.stringify(name)}:${first.trimStart()}`;
    const own = [label, ...rest];
    return index === entries.length - 1 ? own : [...own.slice(0, -1), `${own.at(-1)},`];
  });
  const [open, close] = isList ? '[]' : '{}';
  return [`${indent}${open}`, ...lines, `${indent}${close}`];
}

/** Joins lines to parts. A line that is longer than a part is cut. */
function partsOf(lines: readonly string[]): string[] {
  const parts: string[] = [];
  let current = '';
  for (const line of lines.flatMap(cut)) {
    if (current !== '' && current.length + line.length + 1 > MAX_PART) {
      parts.push(current);
      current = '';
    }
    current += current === '' ? line : `\n${line}`;
  }
  return [...parts, current];
}

function cut(line: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < line.length; start += MAX_PART)
    pieces.push(line.slice(start, start + MAX_PART));
  return pieces;
}
