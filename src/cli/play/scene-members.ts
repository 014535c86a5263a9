import { colour, printable } from '../output/print.ts';
import { wrapped } from '../output/wrap.ts';

/** An audience does not read more. */
const MAX_MEMBERS = 12;
/** Lines per value. */
const MAX_LINES = 2;
/** Below this width, values are printed below their names. */
const NARROW = 44;
/** Longer names do not widen the column of names. */
const MAX_NAME = 34;

/** Formats the members of a body, name and value, in lines of at most `width` characters. */
export function memberLines(
  members: readonly (readonly [name: string, value: unknown])[],
  width: number,
): string[] {
  const shown = members.slice(0, MAX_MEMBERS);
  const column = Math.min(MAX_NAME, Math.max(0, ...shown.map(([name]) => name.length))) + 2;
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
  const whole = wrapped(printable(valueText(value)), width);
  // Error messages are never truncated.
  const isMessage = /(?:^|\.)(?:error|message)$/.test(name);
  if (isMessage || whole.length <= MAX_LINES) return whole;
  return [...whole.slice(0, MAX_LINES - 1), shortened(whole[MAX_LINES - 1], width)];
}

/** Returns every value of a body that is not an object, under its dotted name. */
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

function valueText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `a list of ${value.length}`;
  return JSON.stringify(value) ?? '';
}
