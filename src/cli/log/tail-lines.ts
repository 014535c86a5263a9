import type { RequestLogEntry } from '../../sandbox/request-log-entry.ts';
import { colour, printable } from '../output/print.ts';
import { prettyRequest } from './request-log.ts';
import type { ServerSentEvent } from './server-sent-events.ts';

/** A piece of news as one line of JSON. */
export function jsonNews({ kind, data }: ServerSentEvent): string {
  return printable(JSON.stringify({ type: kind, ...data }));
}

/** A piece of news for people: a line, and what is worth knowing below it. */
export function prettyNews({ kind, data }: ServerSentEvent): string {
  if (kind === 'request') return prettyRequest(requestIn(data));
  const text = WORDS[kind]?.(data) ?? JSON.stringify(data);
  return `${colour.cyan(kind)} ${printable(text)}`.trimEnd();
}

const WORDS: Readonly<Record<string, (data: ServerSentEvent['data']) => string>> = {
  event: ({ eventType, resourceId, id }) => `${eventType} ${resourceId} (${id})`,
  delivery: ({ id, eventType = '', status = '', cause }) =>
    `${id} ${eventType} ${status}${typeof cause === 'string' ? `: ${cause}` : ''}`,
  clock: ({ now, mode }) => `${now} ${mode}`,
  reset: () => '',
};

/** The journal's entry of a request as the log tells it. */
function requestIn(data: ServerSentEvent['data']): RequestLogEntry {
  const rule = data.rule as {
    readonly fidelity: string;
    readonly id: string;
    readonly section: string;
  } | null;
  const source = rule?.fidelity === 'documented' ? `interface ${rule.section}` : `assumption ${rule?.id}`;
  const query = typeof data.query === 'string' && data.query !== '' ? `?${data.query}` : '';
  // The stream tells entries of the journal, which have every other member of a logged request.
  return {
    ...data,
    url: `${data.path}${query}`,
    rule: rule === null ? null : source,
  } as unknown as RequestLogEntry;
}
