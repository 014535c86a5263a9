import { EVENT_TYPES } from '../../../service/webhooks/event-types.ts';
import { WEBHOOK_FAULT_KINDS } from '../../../service/webhooks/fault-kinds.ts';
import { change } from '../../data/actions.ts';
import { faults, webhookFaults } from '../../data/store.ts';
import { numbersIn } from '../../forms/values.ts';
import type { Form } from '../../ui/form.tsx';
import { readable } from '../../ui/format.ts';

/** The form that sets a fault of the API. */
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

/** The form that sets a fault of outgoing webhooks. */
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
