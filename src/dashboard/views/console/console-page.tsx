import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { go, linkTo } from '../../route.ts';
import { Method, StatusCode } from '../../ui/badge.tsx';
import { Body } from '../../ui/json.tsx';
import { Button } from '../../ui/panel.tsx';
import { HeaderList } from '../traffic/headers.tsx';
import { type Operation, operations } from './document.ts';
import { begin, type Draft, draft } from './draft.ts';
import { RequestEditor } from './request-editor.tsx';
import { missingParameters, type Reply, send } from './send.ts';

const FIRST = 'cards.list';
const PLANES = [
  ['partner', 'API'],
  ['control', 'Control plane'],
] as const;

/** The request that is written, and the response to the last one. `id` is an operation, or a request to repeat. */
export function ConsolePage({ id }: { readonly id: string }) {
  const problem = useSignal<string | null>(null);
  const reply = useSignal<Reply | null>(null);
  const isSending = useSignal(false);
  const wanted = id === '' ? (draft.value?.repeats ?? draft.value?.operation.id ?? FIRST) : id;
  useEffect(() => {
    problem.value = null;
    reply.value = null;
    begin(wanted).catch(() => {
      problem.value = `${wanted} is neither an operation nor a request of the journal.`;
    });
  }, [wanted, problem, reply]);
  const current = draft.value;

  async function submit() {
    if (draft.value === null || isSending.value) return;
    const missing = missingParameters(draft.value);
    problem.value = missing.length === 0 ? null : `Give a value for ${missing.join(' and ')}.`;
    if (missing.length > 0) return;
    isSending.value = true;
    try {
      reply.value = await send(draft.value);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
    isSending.value = false;
  }

  return (
    <>
      <OperationPicker current={current} />
      {problem.value !== null && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {current !== null && (
        <div class="console-columns">
          <section class="section" aria-label="Request">
            <h2 class="wire">
              <Method name={current.operation.method} /> {current.operation.path}
            </h2>
            <p class="note">{current.operation.summary}</p>
            <RequestEditor
              key={`${current.operation.id} ${current.repeats}`}
              draft={current}
              onSend={submit}
            />
            <div class="actions">
              <Button icon="send" tone="primary" disabled={isSending.value} onClick={() => void submit()}>
                Send
              </Button>
              <span class="note">
                <kbd>Ctrl</kbd> <kbd>Enter</kbd>
              </span>
            </div>
          </section>
          <section class="section" aria-label="Response" aria-live="polite">
            <Response reply={reply.value} />
          </section>
        </div>
      )}
    </>
  );
}

/** A list of all operations, by plane and by what they are about. */
function OperationPicker({ current }: { readonly current: Draft | null }) {
  return (
    <label class="field operation-picker">
      Operation
      <select
        value={current?.operation.id ?? ''}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          if (draft.value?.repeats !== null) draft.value = null;
          go('console', value);
        }}
      >
        {current?.operation.id === '' && <option value="">no operation</option>}
        {PLANES.map(([plane, label]) => (
          <optgroup key={plane} label={label}>
            {operations.value.flatMap(each =>
              each.plane === plane ? <Choice key={each.id} of={each} /> : [],
            )}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

function Choice({ of: { id, summary } }: { readonly of: Operation }) {
  return (
    <option value={id}>
      {id} · {summary}
    </option>
  );
}

function Response({ reply }: { readonly reply: Reply | null }) {
  if (reply === null) {
    return (
      <>
        <h2>Response</h2>
        <p class="nothing">Not sent yet.</p>
      </>
    );
  }
  return (
    <>
      <header>
        <h2>
          Response <StatusCode status={reply.status} />
        </h2>
        <span class="note">{reply.durationMs.toFixed(0)} ms</span>
      </header>
      {reply.journalId !== null && (
        <p class="note">
          <a href={linkTo('requests', reply.journalId)}>What it changed, and why</a>
        </p>
      )}
      <HeaderList title="Response headers" headers={reply.headers} />
      <Body title="Response body" text={reply.body} />
    </>
  );
}
