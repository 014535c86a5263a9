import type { RequestLogEntry } from '../../sandbox/request-log-entry.ts';
import { colour, printable } from '../output/print.ts';
import { note, paintOf, shownDuration, shownUrl } from './log-lines.ts';

const MOST_HINTS = 5;

/** One line for a request, and below it one for each thing worth knowing: the rule that refused it, hints. */
export function prettyRequest(request: RequestLogEntry): string {
  const { id, method, url, status, durationMs, refusal, rule, fault, dropped, hints } = request;
  const acted = fault === null ? '' : ` ${colour.magenta(`fault ${fault}${dropped ? ', dropped' : ''}`)}`;
  const head = `${paintOf(status)(status)} ${colour.bold(method.padEnd(7))} ${shownUrl(url)} ${shownDuration(durationMs)}${acted}`;
  // Nearly every line of a busy log.
  if (refusal === null && hints.length === 0) return head;
  const refused = refusal === null ? [] : note(refusal, ` [${rule}]`, colour.yellow);
  const shown = hints.slice(0, MOST_HINTS).map(hint => `hint: ${hint}`);
  const more = hints.length > MOST_HINTS ? [`… and more; GET /_sandbox/requests/${id} has them`] : [];
  return [head, ...refused, ...[...shown, ...more].flatMap(text => note(text, '', colour.dim))].join('\n');
}

/** The same as one line of JSON. */
export function jsonRequest(request: RequestLogEntry): string {
  return printable(JSON.stringify({ type: 'request', ...request }));
}
