import type { Operation } from '../../core/operation/operation.ts';
import type { Json } from './components.ts';

const integerFrom = (minimum: number) => ({ type: 'integer', minimum });

const RATE_LIMIT = {
  'X-RateLimit-Limit': {
    description:
      'Requests per minute and key. All three X-RateLimit headers are absent when the limit is switched off.',
    schema: integerFrom(1),
  },
  'X-RateLimit-Remaining': { description: 'Remaining requests in this window.', schema: integerFrom(0) },
  'X-RateLimit-Reset': {
    description: 'Unix timestamp, in seconds of wall time, at which the window ends.',
    schema: integerFrom(0),
  },
};
const OTHERS = {
  'Retry-After': { description: 'Seconds to wait, in wall time.', required: true, schema: integerFrom(1) },
  'X-Sandbox-Request': {
    description: 'Id of the journal entry of this request, which GET /_sandbox/requests/{id} returns.',
    required: true,
    schema: { type: 'string' },
    'x-fidelity': 'assumed',
    'x-assumption': 'journal',
  },
};
const CONTROL = {
  'X-Total-Count': {
    description: "The partner's records of this kind, on all pages. Absent from the response to a search.",
    schema: integerFrom(0),
    'x-fidelity': 'assumed',
    'x-assumption': 'control-records',
  },
};
export function headerComponents(plane: Operation['plane']): Record<string, Json> {
  return plane === 'partner' ? { ...RATE_LIMIT, ...OTHERS } : CONTROL;
}

/** References to the headers of a response with a status; `declared` are the headers of its operation. */
export function headersFor(
  plane: Operation['plane'],
  status: number,
  declared: readonly string[] = [],
): Record<string, Json> {
  const names =
    plane === 'control'
      ? declared
      : [
          ...(status === 401 ? [] : Object.keys(RATE_LIMIT)),
          ...(status === 429 ? ['Retry-After'] : []),
          'X-Sandbox-Request',
        ];
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}
