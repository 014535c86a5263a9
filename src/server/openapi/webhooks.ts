import * as z from 'zod';
import type { AssumptionValues } from '../../core/values/setting.ts';
import { EVENT_MEANINGS, payloads } from '../../sandbox/operations.ts';
import { contentOnWire } from '../../service/wire/fields.ts';
import type { Components, Json } from './components.ts';
import type { Examples } from './examples.ts';

const signature = (
  unit: string,
) => `\`t={timestamp},v1={hmac}\`: the hmac is the lowercase hexadecimal HMAC-SHA256 of \`{timestamp}.{body}\`
(the timestamp, a dot, and the body as received, byte for byte), keyed with the \`webhookSecret\` of the configuration.
Compute it over the raw body before parsing, compare in constant time, and refuse a mismatch, for example with 401. The
timestamp is in whole ${unit} of wall time and is new at each attempt; checking its age is assumed to be allowed.`;

/** The \`webhooks\` of the document: for each event type the request that the partner's endpoint receives. */
export function webhooksOf(
  values: AssumptionValues,
  components: Components,
  examples: Examples,
): Record<string, Json> {
  const meanings = Object.entries(EVENT_MEANINGS);
  // Object.entries forgets that the keys are event types.
  const entries = (meanings as [keyof typeof EVENT_MEANINGS, string][]).map(([type, meaning]) => [
    type,
    { post: webhook(type, meaning, values, components, examples) },
  ]);
  return Object.fromEntries(entries);
}

function webhook(
  type: keyof typeof EVENT_MEANINGS,
  summary: string,
  values: AssumptionValues,
  components: Components,
  examples: Examples,
): Json {
  const data = contentOnWire(payloads[type].schema, values);
  const isAlone = values['webhook-envelope'] === 'data';
  const envelope = z
    .strictObject({
      id: z.string().describe('Id of the event, the same at every attempt.'),
      eventType: z.literal(type),
      createdAt: z.string().meta({ format: 'date-time', description: 'Time of the event, ISO 8601.' }),
      data,
    })
    .meta({ id: `${pascalCase(type)}Event` });
  return {
    operationId: `on.${type}`,
    summary,
    description: isAlone
      ? 'The contents of the body are assumed.'
      : 'The members id, eventType, createdAt and data of the body are assumed, and so are the contents of data.',
    'x-fidelity': 'assumed',
    'x-assumption': 'event-data',
    'x-section': '6.1',
    tags: ['Webhooks'],
    security: [],
    parameters: [
      {
        name: 'X-Service-Event',
        in: 'header',
        required: true,
        description: 'The event type.',
        schema: { type: 'string', const: type },
        'x-fidelity': 'documented',
      },
      {
        name: 'X-Service-Signature',
        in: 'header',
        required: true,
        description: signature(values['signature-timestamp']),
        schema: { type: 'string', pattern: '^t=\\d+,v1=[0-9a-f]{64}$' },
        'x-fidelity': 'documented',
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.schema(isAlone ? data : envelope, 'output'),
          ...examples.payload(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      default: {
        description:
          'Not delivered; a timeout counts the same. Retried after 1 minute, 5 minutes, 30 minutes, 2 hours and 24 hours, each divided by --retry-speed.',
      },
    },
  };
}

function pascalCase(type: string): string {
  return type.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase());
}
