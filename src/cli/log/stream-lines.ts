import type { RequestLogEntry } from '../../sandbox/request-log-entry.ts';
import { colour, printable } from '../output/print.ts';
import { prettyRequest } from './request-log.ts';
import type { ServerSentEvent } from './server-sent-events.ts';

type Data = ServerSentEvent['data'];

/** Formats a stream event as one line of JSON. */
export function jsonEvent({ kind, data }: ServerSentEvent): string {
  return printable(JSON.stringify({ type: kind, ...data }));
}

/** Formats a stream event for people: one line, with details below a request. */
export function prettyEvent({ kind, data }: ServerSentEvent): string {
  if (kind === 'request') return prettyRequest(logEntryOf(data));
  const text = TEXTS[kind]?.(data) ?? JSON.stringify(data);
  return `${colour.cyan(kind)} ${printable(text)}`.trimEnd();
}

const TEXTS: Readonly<Record<string, (data: Data) => string>> = {
  event: ({ eventType, resourceId, id }) => `${eventType} ${resourceId} (${id})`,
  delivery: ({ id, eventType = '', status = '', cause }) =>
    `${id} ${eventType} ${status}${typeof cause === 'string' ? `: ${cause}` : ''}`,
  clock: ({ now, mode }) => `${now} ${mode}`,
  reset: () => '',
  change: ({ action, kind, id }) => `${action} ${kind} ${id}`,
};

/** Converts a journal entry, as the stream sends it, to the entry that the request log prints. */
function logEntryOf(data: Data): RequestLogEntry {
  const rule = data.rule as {
    readonly fidelity: string;
    readonly id: string;
    readonly section: string;
  } | null;
  const source = rule?.fidelity === 'documented' ? `interface ${rule.section}` : `assumption ${rule?.id}`;
  const query = typeof data.query === 'string' && data.query !== '' ? `?${data.query}` : '';
  // A journal entry has all other members of a logged request.
  return {
    ...data,
    url: `${data.path}${query}`,
    rule: rule === null ? null : source,
  } as unknown as RequestLogEntry;
}
