import type { ChalkInstance } from 'chalk';
import { colour, lineWidth, printable } from '../output/print.ts';
import { wrapped } from '../output/wrap.ts';

const INDENT = '    ';
const MAX_URL = 300;
const MAX_NOTE = 600;

/** Returns the indented, wrapped lines of a note below a log line. `source` is never truncated. */
export function note(text: string, source: string, paint: ChalkInstance): string[] {
  const whole = truncated(printable(text), MAX_NOTE) + source;
  return wrapped(whole, lineWidth() - INDENT.length).map(line => INDENT + paint(line));
}

/** Returns a URL that is safe to print and not too long. */
export function shownUrl(url: string): string {
  return truncated(printable(url), MAX_URL);
}

/** Formats a duration in milliseconds. */
export function shownDuration(durationMs: number): string {
  return colour.dim(`${durationMs.toFixed(1)} ms`);
}

/** Names the world of a log line; empty for main. Only log entries of a server have a world. */
export function worldNote(world: string | undefined): string {
  return world === undefined || world === 'main' ? '' : ` ${colour.cyan(`world ${printable(world)}`)}`;
}

/** Returns the colour of an HTTP status. */
export function statusColour(status: number): ChalkInstance {
  if (status >= 500) return colour.red;
  return status >= 400 ? colour.yellow : colour.green;
}

function truncated(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
