import type { RequestLogEntry } from '../../sandbox/request-log-entry.ts';
import { colour, printable } from '../output/print.ts';
import { note, shownDuration, shownUrl, statusColour, worldNote } from './log-lines.ts';

const MAX_HINTS = 5;

/** Formats a request as one line, with the rule that refused it and hints on lines below. */
export function prettyRequest(request: RequestLogEntry): string {
  const { id, world, method, url, status, durationMs, refusal, rule, fault, dropped, hints } = request;
  const faultNote = fault === null ? '' : ` ${colour.magenta(`fault ${fault}${dropped ? ', dropped' : ''}`)}`;
  const head = `${statusColour(status)(status)} ${colour.bold(method.padEnd(7))} ${shownUrl(url)} ${shownDuration(durationMs)}${worldNote(world)}${faultNote}`;
  // The fast path for most lines of a busy log.
  if (refusal === null && hints.length === 0) return head;
  const refused = refusal === null ? [] : note(refusal, ` [${rule}]`, colour.yellow);
  const shown = hints.slice(0, MAX_HINTS).map(hint => `hint: ${hint}`);
  const more = hints.length > MAX_HINTS ? [`… and more; GET /_sandbox/requests/${id} lists them`] : [];
  return [head, ...refused, ...[...shown, ...more].flatMap(text => note(text, '', colour.dim))].join('\n');
}

/** Formats a request as one line of JSON. */
export function jsonRequest(request: RequestLogEntry): string {
  return printable(JSON.stringify({ type: 'request', ...request }));
}
