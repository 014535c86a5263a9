import { colour, printable } from '../output/print.ts';
import { wrapped } from '../output/wrap.ts';

/** More members than an audience reads. */
const MOST_MEMBERS = 12;
/** More lines than a value is worth. */
const MOST_LINES = 2;
/** Narrower than this, values stand below their names. */
const NARROW = 44;
/** Longer names do not push all values to the right. */
const LONGEST_NAME = 34;

/** The members of a body, name and value, in lines of at most `width` characters. */
export function memberLines(
  members: readonly (readonly [name: string, value: unknown])[],
  width: number,
): string[] {
  const shown = members.slice(0, MOST_MEMBERS);
  const column = Math.min(LONGEST_NAME, Math.max(0, ...shown.map(([name]) => name.length))) + 2;
  const lines = shown.flatMap(([name, value]) => {
    const label = printable(name);
    if (width < NARROW) {
      const names = wrapped(label, width).map(line => colour.dim(line));
      return [...names, ...valueLines(name, value, width - 2).map(line => `  ${line}`)];
    }
    const [first = '', ...rest] = valueLines(name, value, width - column);
    return [colour.dim(label.padEnd(column)) + first, ...rest.map(line => ' '.repeat(column) + line)];
  });
  const left = members.length - shown.length;
  return left > 0 ? [...lines, colour.dim(`and ${left} more`)] : lines;
}

function valueLines(name: string, value: unknown, width: number): string[] {
  const whole = wrapped(printable(inWords(value)), width);
  // Refusals are what people came to read.
  const isMessage = /(?:^|\.)(?:error|message)$/.test(name);
  if (isMessage || whole.length <= MOST_LINES) return whole;
  return [...whole.slice(0, MOST_LINES - 1), shortened(whole[MOST_LINES - 1], width)];
}

/** Every value of a body that is no object itself, under its dotted name. */
export function flattened(value: unknown, prefix = ''): (readonly [name: string, value: unknown])[] {
  const isNested = typeof value === 'object' && value !== null;
  const entries = isNested ? Object.entries(value) : [];
  if (entries.length === 0) return prefix === '' ? [] : [[prefix, value]];
  const isList = Array.isArray(value);
  return entries.flatMap(([name, member]) => {
    const joined = isList ? `${prefix}[${name}]` : prefix === '' ? name : `${prefix}.${name}`;
    return flattened(member, joined);
  });
}

function shortened(line = '', width: number): string {
  return line.length < width ? `${line}…` : `${line.slice(0, Math.max(0, width - 1))}…`;
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `a list of ${value.length}`;
  return JSON.stringify(value) ?? '';
}
