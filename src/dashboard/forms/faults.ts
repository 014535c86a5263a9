import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import { WEBHOOK_FAULT_KINDS } from '../../service/webhooks/fault-kinds.ts';
import { withToast } from '../data/actions.ts';
import { control } from '../data/http.ts';
import type { Fault, WebhookFault } from '../data/response-types.ts';
import { type Field, openForm } from '../ui/form.tsx';
import { readable } from '../ui/format.ts';

/** The paths of faults in the control plane: of the API, and of webhooks. */
export const API_FAULTS = '/faults';
export const WEBHOOK_FAULTS = '/webhook-faults';

/** How many times a fault will act; null for one that acts until it is removed. */
export function timesLeft({ times, hits }: Fault | WebhookFault): number | null {
  return times == null ? null : times - hits;
}

/** Removes faults. The toast offers to set those again that are not used up, for the times that they had left. */
export function removeFaults(text: string, removed: readonly (Fault | WebhookFault)[]): Promise<void> {
  const active = removed.filter(fault => timesLeft(fault) !== 0);
  const remove = async () => {
    for (const { id } of removed) await control('DELETE', `/faults/${id}`);
  };
  const setAgain = async () => {
    for (const fault of active) {
      const { id: _, hits: _hits, ...input } = { ...fault, times: timesLeft(fault) };
      await control('POST', 'kind' in input ? WEBHOOK_FAULTS : API_FAULTS, dropNulls(input));
    }
  };
  const undo = () => void withToast('Set again', setAgain);
  return withToast(text, remove, active.length === 0 ? undefined : undo);
}

function dropNulls(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

export function openFaultForm(): void {
  openForm({
    title: 'Set a fault',
    submit: 'Set fault',
    fields: ({ target = API_FAULTS, kind }) => [
      {
        name: 'target',
        label: 'Of',
        kind: 'choice',
        choices: [
          [API_FAULTS, 'the API'],
          [WEBHOOK_FAULTS, 'webhooks'],
        ],
      },
      ...(target === API_FAULTS ? API_FIELDS : webhookFields(kind)),
      { name: 'times', label: 'How many times', kind: 'number', isOptional: true },
    ],
    run: ({ target, ...input }) => control('POST', String(target), input),
  });
}

const API_FIELDS: readonly Field[] = [
  { name: 'status', label: 'Response status', kind: 'number', isOptional: true },
  { name: 'delayMs', label: 'Delay in ms', kind: 'number', isOptional: true },
  {
    name: 'method',
    label: 'Method',
    isOptional: true,
    kind: 'choice',
    choices: ['', 'GET', 'POST', 'PATCH'].map(each => [each, each || 'any']),
  },
  { name: 'path', label: 'Path', isOptional: true, hint: 'A pattern, for example /partner/cards/{id}.' },
  {
    name: 'when',
    label: 'When',
    kind: 'choice',
    choices: [
      ['before', 'before the request is processed'],
      ['after', 'after it: only the response is replaced'],
    ],
  },
  { name: 'after', label: 'Requests to skip first', kind: 'number', isOptional: true },
];

function webhookFields(kind: string | undefined): readonly Field[] {
  return [
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
    ...(kind === 'delay'
      ? [{ name: 'delayMs', label: 'Delay in ms', kind: 'number' as const, initial: '5000' }]
      : []),
  ];
}
