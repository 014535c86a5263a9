import { signal } from '@preact/signals';
import { control } from '../../data/http.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { prettyJson } from '../../ui/format.ts';
import { bodyFor } from './completion.ts';
import { keyHeader, loadDocuments, type Operation, operations } from './document.ts';

/** A request that is being written. */
export interface Draft {
  readonly operation: Operation;
  /** Values of parameters of the path and the query, by name. An empty one is not sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** One header on each line, as `name: value`. */
  readonly headers: string;
  readonly body: string;
  /** Id of the partner with whose key it is sent; empty for none. */
  readonly partnerId: string | null;
  /** Id of the request that it repeats, or null. */
  readonly repeats: string | null;
}

/** What the journal shows in place of a secret. */
export const MASK = '***';

/** The request of the console. It stays while the page is open. Null until one is chosen. */
export const draft = signal<Draft | null>(null);

/** Begins a request: of an operation, or as a repetition of a request of the journal. Rejects for an unknown id. */
export async function begin(id: string): Promise<void> {
  if (draft.value?.operation.id === id || draft.value?.repeats === id) return;
  await loadDocuments();
  const operation = operations.value.find(each => each.id === id);
  draft.value = operation === undefined ? await repetition(id) : fresh(operation);
}

/** Changes parts of the request. */
export function edit(change: Partial<Draft>): void {
  if (draft.value !== null) draft.value = { ...draft.value, ...change };
}

function fresh(operation: Operation): Draft {
  const examples = operation.parameters.flatMap(({ name, example, in: place }) =>
    place === 'path' && example !== undefined ? [[name, String(example)]] : [],
  );
  const parameters = Object.fromEntries(examples);
  return { operation, parameters, headers: '', body: bodyFor(operation), partnerId: null, repeats: null };
}

async function repetition(id: string): Promise<Draft> {
  const entry = await control<JournalEntry>('GET', `/requests/${encodeURIComponent(id)}`);
  const path = entry.path.replace(/^\/v1/, '');
  const known = operations.value.find(each => each.plane === 'partner' && each.id === entry.operation);
  const operation = known ?? {
    id: '',
    plane: 'partner',
    method: entry.method,
    path,
    summary: 'A request that no operation is for',
    parameters: [],
    body: null,
    example: undefined,
  };
  return {
    operation,
    parameters: {
      ...pathValues(operation.path, path),
      ...Object.fromEntries(new URLSearchParams(entry.query)),
    },
    headers: ownHeaders(entry.request.headers ?? {}),
    body: prettyJson(entry.request.body),
    partnerId: entry.partnerId ?? '',
    repeats: id,
  };
}

/** Reads the parameters of a path by their places in its pattern. */
function pathValues(pattern: string, path: string): Record<string, string> {
  const parts = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, index) => {
      const name = /^\{(.+)\}$/.exec(part)?.[1];
      return name === undefined ? [] : [[name, decodeURIComponent(parts[index] ?? '')]];
    }),
  );
}

/** The headers that a client set by itself, without those that hold a secret. */
function ownHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .filter(([name, value]) => name.startsWith('x-') && name !== keyHeader.value && value !== MASK)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
