import type { ChalkInstance } from 'chalk';
import { colour, lineWidth, printable } from '../output/print.ts';
import { wrapped } from '../output/wrap.ts';

const INDENT = '    ';
const LONGEST_URL = 300;
const LONGEST_NOTE = 600;

/** A note below a line of the log, indented and broken between words. `source` is never cut off. */
export function note(text: string, source: string, paintNote: ChalkInstance): string[] {
  const whole = cut(printable(text), LONGEST_NOTE) + source;
  return wrapped(whole, lineWidth() - INDENT.length).map(line => INDENT + paintNote(line));
}

/** A URL, safe to print and not too long. */
export function shownUrl(url: string): string {
  return cut(printable(url), LONGEST_URL);
}

/** A duration in milliseconds. */
export function shownDuration(durationMs: number): string {
  return colour.dim(`${durationMs.toFixed(1)} ms`);
}

/** The colour of an HTTP status. */
export function paintOf(status: number): ChalkInstance {
  if (status >= 500) return colour.red;
  return status >= 400 ? colour.yellow : colour.green;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
