import type { ChalkInstance } from 'chalk';
import type { DeliveryLogEntry, RequestLogEntry } from '../sandbox/log-entries.ts';
import { colour, lineWidth, printable } from './output/print.ts';
import { cutTo } from './output/width.ts';
import { wrapText } from './output/wrap.ts';

/** Where log lines go, and whether they are JSON for programs or text for people. */
export interface Log {
  readonly isJson: boolean;
  readonly write: (line: string) => void;
}

const INDENT = '    ';
const MAX_URL = 300;
const MAX_NOTE = 600;
const MAX_HINTS = 5;

/** Returns the indented, wrapped lines of a note below a log line. `source` is never truncated. */
export function formatNote(text: string, source: string, paint: ChalkInstance): string[] {
  const whole = cutTo(printable(text), MAX_NOTE) + source;
  return wrapText(whole, lineWidth() - INDENT.length).map(line => INDENT + paint(line));
}

function formatUrl(url: string): string {
  return cutTo(printable(url), MAX_URL);
}

function formatDuration(durationMs: number): string {
  return colour.dim(`${durationMs.toFixed(1)} ms`);
}

/** Empty for main. Only log entries of a server have a world. */
function formatWorld(world: string | undefined): string {
  return world === undefined || world === 'main' ? '' : ` ${colour.cyan(`world ${printable(world)}`)}`;
}

function statusColour(status: number): ChalkInstance {
  if (status >= 500) return colour.red;
  return status >= 400 ? colour.yellow : colour.green;
}

/** Formats a request as one line, with the rule that refused it and hints on lines below. `prefix` begins the line. */
export function prettyRequest(request: RequestLogEntry, prefix = ''): string {
  const { id, world, method, url, status, durationMs, refusal, rule, fault, dropped, hints } = request;
  const faultNote = fault === null ? '' : ` ${colour.magenta(`fault ${fault}${dropped ? ', dropped' : ''}`)}`;
  const head = `${colour.dim(prefix)}${statusColour(status)(status)} ${colour.bold(method.padEnd(7))} ${formatUrl(url)} ${formatDuration(durationMs)}${formatWorld(world)}${faultNote}`;
  // The fast path for most lines of a busy log.
  if (refusal === null && hints.length === 0) return head;
  const refused = refusal === null ? [] : formatNote(refusal, ` [${rule}]`, colour.yellow);
  const shown = hints.slice(0, MAX_HINTS).map(hint => `hint: ${hint}`);
  const more = hints.length > MAX_HINTS ? [`… and more; GET /_sandbox/requests/${id} lists them`] : [];
  return [head, ...refused, ...[...shown, ...more].flatMap(text => formatNote(text, '', colour.dim))].join(
    '\n',
  );
}

export function jsonRequest(request: RequestLogEntry): string {
  return printable(JSON.stringify({ type: 'request', ...request }));
}

/** Formats a delivery attempt as one line, with the cause of a failure and the next retry below. */
export function prettyDelivery(delivery: DeliveryLogEntry): string {
  const { id, world, eventType, status, url, responseStatus, cause, durationMs, nextRetryAt } = delivery;
  const response = responseStatus === null ? colour.red('---') : statusColour(responseStatus)(responseStatus);
  const target = url === null ? '' : ` -> ${formatUrl(url)}`;
  const head = `${response} ${colour.bold('webhook')} ${eventType} ${colour.dim(id)}${target} ${formatDuration(durationMs)}${formatWorld(world)}`;
  if (cause === null) return head;
  const next = nextRetryAt === null ? status : `next retry at ${nextRetryAt}`;
  return [head, ...formatNote(`${cause}; ${next}`, '', colour.yellow)].join('\n');
}

export function jsonDelivery(delivery: DeliveryLogEntry): string {
  return printable(JSON.stringify({ type: 'delivery', ...delivery }));
}
