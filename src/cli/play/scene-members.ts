import { memberText } from '../../tools/scenarios/play/members.ts';
import { colour, printable } from '../output/print.ts';
import { wrapText } from '../output/show.ts';

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
      const names = wrapText(label, width).map(line => colour.dim(line));
      return [...names, ...valueLines(name, value, width - 2).map(line => `  ${line}`)];
    }
    const [first = '', ...rest] = valueLines(name, value, width - column);
    return [colour.dim(label.padEnd(column)) + first, ...rest.map(line => ' '.repeat(column) + line)];
  });
  const left = members.length - shown.length;
  return left > 0 ? [...lines, colour.dim(`and ${left} more`)] : lines;
}

function valueLines(name: string, value: unknown, width: number): string[] {
  const whole = wrapText(printable(memberText(value)), width);
  // Error messages are never truncated.
  const isMessage = /(?:^|\.)(?:error|message)$/.test(name);
  if (isMessage || whole.length <= MAX_LINES) return whole;
  return [...whole.slice(0, MAX_LINES - 1), shorten(whole[MAX_LINES - 1], width)];
}

function shorten(line = '', width: number): string {
  return line.length < width ? `${line}…` : `${line.slice(0, Math.max(0, width - 1))}…`;
}
