import { elapsed } from '../../browser/timers.ts';
import { controlTarget, RequestError } from '../../data/http.ts';
import { partner, partners } from '../../data/store.ts';
import { keyHeader } from './document.ts';
import type { Draft } from './draft.ts';

/** A response as the console shows it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs: number;
  /** Id of the entry of the journal; null for the control plane, whose calls it does not record. */
  readonly journalId: string | null;
}

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request as it is written, with mistakes too. Throws a RequestError if no response arrives. */
export async function send(draft: Draft): Promise<Reply> {
  const { url, headers } = targetOf(draft);
  const { method } = draft.operation;
  const startedAt = elapsed();
  const hasBody = draft.body !== '' && method !== 'GET' && method !== 'HEAD';
  const response = await fetch(url, { method, headers, body: hasBody ? draft.body : null }).catch(() => {
    throw new RequestError('There was no response. Is the sandbox still running, and is each header valid?');
  });
  const body = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    durationMs: elapsed() - startedAt,
    journalId: response.headers.get('x-sandbox-request'),
  };
}

/** The names of path parameters that have no value yet. */
export function missingParameters({ operation, parameters }: Draft): readonly string[] {
  return operation.parameters.flatMap(({ name, in: place }) =>
    place === 'path' && (parameters[name] ?? '') === '' ? name : [],
  );
}

function targetOf({ operation, parameters, headers, body, partnerId }: Draft): Target {
  const path = operation.path.replace(/\{(.+?)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ''));
  const inPath = [...operation.path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name);
  const query = Object.entries(parameters).filter(([name, value]) => value !== '' && !inPath.includes(name));
  const whole = query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
  const type: Record<string, string> = body === '' ? {} : { 'content-type': 'application/json' };
  if (operation.plane === 'control') {
    const target = controlTarget(whole);
    return { url: target.url, headers: { ...target.headers, ...type } };
  }
  const caller =
    partnerId === null ? partner.value : partners.data.value?.find(each => each.id === partnerId);
  const key: Record<string, string> = caller == null ? {} : { [keyHeader.value]: caller.apiKey };
  return { url: `/v1${whole}`, headers: { ...key, ...type, ...headersIn(headers) } };
}

function headersIn(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines.split('\n').flatMap(line => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}
