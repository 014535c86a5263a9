import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { callControl, control, type Reply, sendToApi } from '../../data/http.ts';
import type { JournalEntry } from '../../data/response-types.ts';
import { partner, partners } from '../../data/store.ts';
import { world } from '../../data/world.ts';
import { linkTo } from '../../route.ts';
import { StatusCode } from '../../ui/badge.tsx';
import { apiKeyHeader, MASK, toReplayable } from '../../ui/curl.ts';
import { type Field, Input, Problem } from '../../ui/form.tsx';
import { errorText, prettyJson } from '../../ui/format.ts';
import { Body } from '../../ui/json.tsx';

/** The id that opens the form, alone or with what it begins with: `new/{id of an operation or a request}`. */
export const NEW = 'new';
const NEW_OF = /^new\/(.+)$/;

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
/** Who sends the request, besides the partners by their ids. */
const SELECTED = 'selected';
const NO_KEY = 'none';
const CONTROL = 'control';

interface Draft {
  /** The operation or request that it began with. */
  readonly origin: string;
  readonly sender: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

const FIRST: Draft = { origin: '', sender: SELECTED, method: 'GET', path: '/partner/cards', body: '' };

/** The request of the form. It stays while the page is open. */
const draft = signal(FIRST);

interface Operation {
  readonly id: string;
  readonly isControl: boolean;
  readonly method: string;
  readonly path: string;
  /** An example of the body; empty for an operation without one. */
  readonly body: string;
}

/** All operations, those of the API first. Empty until they are read. */
const operations = signal<readonly Operation[]>([]);

/** Whether an id in the address means the form and not a request. */
export function isRequestForm(id: string): boolean {
  return id === NEW || NEW_OF.test(id);
}

export function RequestForm({ id }: { readonly id: string }) {
  const problem = useSignal<string | null>(null);
  const reply = useSignal<Reply | null>(null);
  const isSending = useSignal(false);
  const origin = NEW_OF.exec(id)?.[1] ?? '';
  useEffect(() => {
    openDraft(origin).catch(() => {
      problem.value = `${origin} is neither an operation nor a request of the journal.`;
    });
  }, [origin, problem]);
  const { sender, method, body } = draft.value;

  async function submit(event: Event) {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    problem.value = null;
    try {
      reply.value = await sendDraft(draft.value);
    } catch (error) {
      problem.value = errorText(error);
    }
    isSending.value = false;
  }

  /** Control and Enter send the request from every field. */
  function onKeyDown(event: KeyboardEvent & { readonly currentTarget: HTMLFormElement }) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  }

  const input = (field: Field & { readonly name: Exclude<keyof Draft, 'origin'> }) => (
    <Input field={field} value={draft.value[field.name]} onInput={text => edit({ [field.name]: text })} />
  );
  return (
    <>
      <header class="detail-head">
        <h2>New request</h2>
      </header>
      <form class="request-form" onSubmit={submit} onKeyDown={onKeyDown}>
        <div class="fields small">
          {input({ name: 'sender', label: 'Send as', kind: 'choice', choices: senders() })}
          {input({
            name: 'method',
            label: 'Method',
            kind: 'choice',
            choices: METHODS.map(each => [each, each]),
          })}
        </div>
        {input({
          name: 'path',
          label: 'Path',
          suggestions: operations.value
            .filter(each => each.isControl === (sender === CONTROL))
            .map(each => [each.path, `${each.method} ${each.id}`]),
          hint: `Below ${sender === CONTROL ? 'the control plane of this world' : '/v1'}, with its query.`,
        })}
        {(method !== 'GET' || body !== '') &&
          input({ name: 'body', label: 'Body', kind: 'area', isOptional: true })}
        {body.includes(MASK) && (
          <p class="callout">
            The journal masks secrets as {MASK}. Replace them before you send the request.
          </p>
        )}
        <Problem text={problem.value} />
        <div class="actions">
          <button type="submit" class="button primary" disabled={isSending.value} title="Send (Ctrl Enter)">
            Send
          </button>
        </div>
      </form>
      <div aria-live="polite">{reply.value !== null && <Response reply={reply.value} />}</div>
    </>
  );
}

function Response({ reply: { status, durationMs, journalId, body } }: { readonly reply: Reply }) {
  return (
    <>
      <p>
        <StatusCode status={status} /> <span class="note">in {durationMs.toFixed(0)} ms</span>{' '}
        {journalId !== null && <a href={linkTo('requests', journalId)}>What it changed, and why</a>}
      </p>
      <Body title="Response body" text={typeof body === 'string' ? body : JSON.stringify(body ?? '')} />
    </>
  );
}

function senders(): [string, string][] {
  return [
    [SELECTED, 'API, selected partner'],
    ...(partners.data.value ?? []).map(({ id, name }): [string, string] => [id, `API, ${name}`]),
    [NO_KEY, 'API, no key'],
    [CONTROL, 'Control plane'],
  ];
}

/** Changes the request. The path of an operation brings its method and, unless there is a body, its example. */
function edit(change: Partial<Draft>): void {
  const next = { ...draft.value, ...change };
  draft.value = next;
  if (change.path === undefined && change.method === undefined) return;
  const found = operations.value.filter(
    ({ path, isControl }) => path === next.path && isControl === (next.sender === CONTROL),
  );
  const same = found.find(({ method }) => method === next.method);
  const operation = change.path === undefined ? same : (same ?? found[0]);
  if (operation === undefined) return;
  draft.value = { ...next, method: operation.method, body: next.body || operation.body };
}

/** Begins with an operation or a request of the journal; with neither, the request stays. Rejects for an unknown id. */
async function openDraft(origin: string): Promise<void> {
  if (operations.value.length === 0) {
    operations.value = await Promise.all([readOperations('partner'), readOperations('control')]).then(
      both => both.flat(),
      () => [],
    );
  }
  if (origin === '' || origin === draft.value.origin) return;
  const operation = operations.value.find(({ id }) => id === origin);
  if (operation !== undefined) {
    const { isControl, method, path, body } = operation;
    draft.value = { origin, sender: isControl ? CONTROL : SELECTED, method, path, body };
    return;
  }
  const { method, path, query, partnerId, request } = await control<JournalEntry>(
    'GET',
    `/requests/${encodeURIComponent(origin)}`,
  );
  draft.value = {
    origin,
    sender: partnerId ?? NO_KEY,
    method,
    path: path.replace(/^\/v1/, '') + (query === '' ? '' : `?${query}`),
    body: prettyJson(toReplayable(request.body)),
  };
}

/** Sends a request as it is written, with mistakes too. */
function sendDraft({ sender, method, path, body }: Draft): Promise<Reply> {
  const text = body === '' || method === 'GET' ? undefined : body;
  if (sender === CONTROL) return callControl(method, path, text);
  const all = partners.data.value ?? [];
  const caller = sender === SELECTED ? partner.value : all.find(({ id }) => id === sender);
  return sendToApi(method, path, text, caller == null ? {} : { [apiKeyHeader()]: caller.apiKey });
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly operationId?: string;
  readonly requestBody?: {
    readonly content?: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> }>
    >;
  };
}

/** Reads the operations of a plane from its OpenAPI document, which has the partner's own names. */
async function readOperations(plane: 'partner' | 'control'): Promise<Operation[]> {
  const response = await fetch(`/openapi.json?plane=${plane}&world=${encodeURIComponent(world)}`);
  const { paths }: Document = await response.json();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id, requestBody }]) => {
      if (id === undefined) return [];
      const content = requestBody?.content?.['application/json'];
      const [example] = Object.values(content?.examples ?? {});
      const body = content === undefined ? '' : JSON.stringify(example?.value ?? {}, null, 2);
      return { id, isControl: plane === 'control', method: method.toUpperCase(), path, body };
    }),
  );
}
