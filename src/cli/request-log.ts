import type { ChalkInstance } from 'chalk';
import type { LoggedRequest } from '../logged-request.ts';
import { colour, lineWidth, printable } from './output.ts';

const INDENT = '    ';
const LONGEST_URL = 300;
const LONGEST_NOTE = 600;
const MOST_HINTS = 5;

/** One line for a request, and below it one for each thing worth knowing: the rule that refused it, hints. */
export function prettyRequest(request: LoggedRequest): string {
  const { id, method, url, status, durationMs, refusal, rule, hints } = request;
  const head = [
    paint(status)(status),
    colour.bold(method.padEnd(7)),
    cut(printable(url), LONGEST_URL),
    colour.dim(`${durationMs.toFixed(1)} ms`),
  ].join(' ');
  const refused = refusal === null ? [] : note(refusal, ` [${rule}]`, colour.yellow);
  const shown = hints.slice(0, MOST_HINTS).map(hint => `hint: ${hint}`);
  const more = hints.length > MOST_HINTS ? [`… and more; GET /_sandbox/requests/${id} has them`] : [];
  return [head, ...refused, ...[...shown, ...more].flatMap(text => note(text, '', colour.dim))].join('\n');
}

/** The same as one line of JSON. */
export function jsonRequest(request: LoggedRequest): string {
  return printable(JSON.stringify({ type: 'request', ...request }));
}

function note(text: string, source: string, paintNote: ChalkInstance): string[] {
  const whole = cut(printable(text), LONGEST_NOTE) + source;
  return wrapped(whole, lineWidth() - INDENT.length).map(line => INDENT + paintNote(line));
}

/** Breaks a text between words, so that a narrow terminal does not break it within them. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function paint(status: number): ChalkInstance {
  if (status >= 500) return colour.red;
  return status >= 400 ? colour.yellow : colour.green;
}
