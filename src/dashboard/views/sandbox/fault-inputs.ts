import { EVENT_TYPES } from '../../../service/webhooks/event-types.ts';
import { WEBHOOK_FAULT_KINDS } from '../../../service/webhooks/fault-kinds.ts';
import { change } from '../../data/actions.ts';
import type { FaultInput, WebhookFault } from '../../data/response-types.ts';
import { faults, webhookFaults } from '../../data/store.ts';
import { numbersIn } from '../../forms/fields.ts';
import type { Form } from '../../ui/form.tsx';
import { readable } from '../../ui/format.ts';

export const API_FORM: Form = {
  title: 'Set an API fault',
  submit: 'Set fault',
  fields: () => [
    { name: 'status', label: 'Response status', kind: 'number', isOptional: true },
    { name: 'delayMs', label: 'Delay in ms', kind: 'number', isOptional: true },
    {
      name: 'method',
      label: 'Method',
      isOptional: true,
      kind: 'choice',
      choices: ['', 'GET', 'POST', 'PATCH'].map(each => [each, each || 'any']),
    },
    {
      name: 'path',
      label: 'Path',
      isOptional: true,
      hint: 'A pattern, for example /partner/cards/{id}.',
    },
    {
      name: 'when',
      label: 'When',
      kind: 'choice',
      choices: [
        ['before', 'before the request is processed'],
        ['after', 'after it: only the response is replaced'],
      ],
    },
    { name: 'times', label: 'How many times', kind: 'number', isOptional: true },
    { name: 'after', label: 'Requests to skip first', kind: 'number', isOptional: true },
  ],
  run: values =>
    change([faults], 'POST', '/faults', {
      ...numbersIn(values, ['status', 'delayMs', 'times', 'after']),
      method: values.method || undefined,
      path: values.path || undefined,
      when: values.when,
    }),
};

export const WEBHOOK_FORM: Form = {
  title: 'Set a webhook fault',
  submit: 'Set fault',
  fields: values => [
    {
      name: 'kind',
      label: 'Kind',
      kind: 'choice',
      choices: WEBHOOK_FAULT_KINDS.map(each => [each, readable(each)]),
    },
    {
      name: 'eventType',
      label: 'Event',
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

export interface Preset {
  readonly title: string;
  readonly note: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ApiPreset extends Preset {
  readonly body: FaultInput & Preset['body'];
}

export const API_PRESETS: readonly ApiPreset[] = [
  { title: 'Unavailable', note: 'the next 3 requests return 503', body: { status: 503, times: 3 } },
  { title: 'Rate limited', note: 'the next request returns 429', body: { status: 429, times: 1 } },
  { title: 'Slow', note: 'every request takes 2 s', body: { delayMs: 2_000 } },
  { title: 'Dropped', note: 'the next connection is closed', body: { drop: true, times: 1 } },
  {
    title: 'Lost response',
    note: 'the next request is processed, its response is lost',
    body: { drop: true, when: 'after', times: 1 },
  },
];

const BY_KIND: Readonly<Record<WebhookFault['kind'], Omit<Preset, 'body'> & { readonly delayMs?: number }>> =
  {
    duplicate: { title: 'Duplicate', note: 'the next delivery is sent twice' },
    reorder: { title: 'Reorder', note: 'the next two deliveries swap places' },
    delay: { title: 'Delay', note: 'the next delivery is 5 s late', delayMs: 5_000 },
    drop: { title: 'Drop', note: 'the next delivery is lost' },
    before_answer: { title: 'Before the answer', note: 'the next webhook comes before the response' },
    unknown_fields: { title: 'Unknown fields', note: 'the next body has fields that are not documented' },
    unknown_type: { title: 'Unknown type', note: 'the next event has a type that is not documented' },
    bad_signature: { title: 'Bad signature', note: 'the next signature is wrong' },
    other_secret: { title: 'Other secret', note: 'the next signature is made with another secret' },
    missing_signature: { title: 'No signature', note: 'the next delivery is not signed' },
    tampered_body: { title: 'Tampered body', note: 'a byte of the next body is changed' },
    stale_timestamp: { title: 'Stale timestamp', note: 'the next signature is too old' },
    other_partner: { title: 'Other partner', note: 'the next event is about a record of another partner' },
  };

export const WEBHOOK_PRESETS: readonly Preset[] = Object.entries(BY_KIND).map(
  ([kind, { title, note, delayMs }]) => ({ title, note, body: { kind, delayMs, times: 1 } }),
);
