import { count, span, words } from '../../ui/format.ts';
import { attempt, change } from '../../data/actions.ts';
import type { Collection } from '../../data/collection.ts';
import type { Fault } from '../../data/response-types.ts';
import { faults, webhookFaults } from '../../data/store.ts';
import { EVENT_TYPES } from '../../forms/event-types.ts';
import { ask, type Form, type Values } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button, Section } from '../../ui/panel.tsx';

interface Preset {
  readonly title: string;
  readonly note: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const API_PRESETS: readonly Preset[] = [
  { title: 'Unavailable', note: 'the next 3 requests are 503', body: { status: 503, times: 3 } },
  { title: 'Rate limited', note: 'the next request is 429', body: { status: 429, times: 1 } },
  { title: 'Slow', note: 'every request takes 2 s', body: { delayMs: 2_000 } },
  { title: 'Dropped', note: 'the next connection breaks', body: { drop: true, times: 1 } },
  {
    title: 'Lost answer',
    note: 'done, but the answer is lost',
    body: { drop: true, when: 'after', times: 1 },
  },
];
const WEBHOOK_PRESETS: readonly Preset[] = [
  { title: 'Duplicate', note: 'the next delivery comes twice', body: { kind: 'duplicate', times: 1 } },
  { title: 'Reorder', note: 'the next two swap places', body: { kind: 'reorder', times: 1 } },
  { title: 'Delay', note: 'the next is 5 s late', body: { kind: 'delay', delayMs: 5_000, times: 1 } },
  { title: 'Drop', note: 'the next gets lost', body: { kind: 'drop', times: 1 } },
  { title: 'Bad signature', note: 'the next does not verify', body: { kind: 'bad_signature', times: 1 } },
  {
    title: 'Stale timestamp',
    note: 'the next was signed long ago',
    body: { kind: 'stale_timestamp', times: 1 },
  },
];

/** Faults of the API and of outgoing webhooks: what is set, and switches for the usual ones. */
export function Faults() {
  return (
    <div class="page">
      <header class="view-head">
        <h1>Faults</h1>
      </header>
      <p class="lead">
        Things that go wrong out there, on demand and without chance. They act after authentication.
      </p>
      <Kind
        title="API"
        path="/faults"
        canRemove
        rows={faults}
        presets={API_PRESETS}
        form={API_FORM}
        note="A request that meets one is in the journal like any other. One call alone takes the header X-Sandbox-Fault."
      />
      <Kind
        title="Outgoing webhooks"
        path="/webhook-faults"
        canRemove={false}
        rows={webhookFaults}
        presets={WEBHOOK_PRESETS}
        form={WEBHOOK_FORM}
        note="Is your receiver idempotent, does it verify, does it mind the age of a signature?"
      />
    </div>
  );
}

interface KindProps {
  readonly title: string;
  readonly path: string;
  readonly rows: Collection<Fault>;
  readonly presets: readonly Preset[];
  readonly form: Form;
  readonly note: string;
  /** Whether one alone can be taken away. */
  readonly canRemove: boolean;
}

function Kind({ title, path, rows, presets, form, note, canRemove }: KindProps) {
  const set = rows.rows.value ?? [];
  return (
    <Section
      title={title}
      note={note}
      actions={
        <>
          {set.length > 0 && (
            <Button onClick={() => void attempt('No faults are set', () => change([rows], 'DELETE', path))}>
              Clear all
            </Button>
          )}
          <Button icon="plus" onClick={() => ask(form)}>
            Custom
          </Button>
        </>
      }
    >
      <div class="presets">
        {presets.map(each => (
          <button
            key={each.title}
            type="button"
            class="preset"
            onClick={() => void attempt(`Set: ${each.note}`, () => change([rows], 'POST', path, each.body))}
          >
            <b>{each.title}</b>
            <span>{each.note}</span>
          </button>
        ))}
      </div>
      {rows.error.value !== null && <p class="problem">{rows.error.value}</p>}
      <ul class="faults">
        {set.map(fault => (
          <li key={fault.id}>
            <Icon name="fault" />
            <span class="fault-text">{describe(fault)}</span>
            {canRemove && (
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${describe(fault)}`}
                onClick={() =>
                  void attempt('The fault is gone', () => change([rows], 'DELETE', `${path}/${fault.id}`))
                }
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A fault in words: what it does, where, when, and how often. */
function describe({ id: _id, hits, times, ...members }: Fault): string {
  const { kind, status, drop, delayMs, method, path, eventType, when, after, body } = members;
  const parts = [
    kind && words(String(kind)),
    status && `status ${status}`,
    drop && 'connection dropped',
    body && 'with a body of its own',
    delayMs && `${span(Number(delayMs))} late`,
    (method || path || eventType) && `on ${[method, path, eventType].filter(Boolean).join(' ')}`,
    when === 'after' && 'after the request is done',
    after && `after ${after} more`,
    times
      ? `${count(Number(times), 'time')}, ${Number(hits)} so far`
      : `until removed, ${Number(hits)} so far`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function numbersIn(values: Values, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.flatMap(name => (values[name] ? [[name, Number(values[name])]] : [])));
}

const API_FORM: Form = {
  title: 'Set a fault of the API',
  submit: 'Set fault',
  fields: () => [
    { name: 'status', label: 'Answer with status', kind: 'number', isOptional: true },
    { name: 'delayMs', label: 'Delay in ms', kind: 'number', isOptional: true },
    {
      name: 'method',
      label: 'Only method',
      isOptional: true,
      kind: 'choice',
      choices: ['', 'GET', 'POST', 'PATCH'].map(each => [each, each || 'any']),
    },
    {
      name: 'path',
      label: 'Only path',
      isOptional: true,
      hint: 'As a pattern, for example /partner/cards/{id}.',
    },
    {
      name: 'when',
      label: 'When',
      kind: 'choice',
      choices: [
        ['before', 'before: nothing is changed'],
        ['after', 'after: done, then the answer is replaced'],
      ],
    },
    { name: 'times', label: 'How many times', kind: 'number', isOptional: true },
    { name: 'after', label: 'Let so many through first', kind: 'number', isOptional: true },
  ],
  run: values =>
    change([faults], 'POST', '/faults', {
      ...numbersIn(values, ['status', 'delayMs', 'times', 'after']),
      method: values.method || undefined,
      path: values.path || undefined,
      when: values.when,
    }),
};

const KINDS = ['duplicate', 'reorder', 'delay', 'drop', 'bad_signature', 'stale_timestamp'];

const WEBHOOK_FORM: Form = {
  title: 'Set a fault of outgoing webhooks',
  submit: 'Set fault',
  fields: values => [
    {
      name: 'kind',
      label: 'Kind',
      kind: 'choice',
      choices: KINDS.map(each => [each, each.replaceAll('_', ' ')]),
    },
    {
      name: 'eventType',
      label: 'Only event',
      kind: 'choice',
      isOptional: true,
      choices: ['', ...EVENT_TYPES].map(each => [each, each || 'any']),
    },
    { name: 'times', label: 'How many times', kind: 'number', isOptional: true },
    ...(values.kind === 'delay'
      ? [{ name: 'delayMs', label: 'Delay in ms', kind: 'number' as const, initial: '5000' }]
      : []),
  ],
  run: values =>
    change([webhookFaults], 'POST', '/webhook-faults', {
      kind: values.kind,
      eventType: values.eventType || undefined,
      ...numbersIn(values, ['times', 'delayMs']),
    }),
};
