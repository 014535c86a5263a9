import type { Operation } from '../kernel/operation/operation.ts';
import type { Json } from './components.ts';

const text = (value: number) => ({ type: 'integer', minimum: value });

const RATE_LIMIT = {
  'X-RateLimit-Limit': {
    description: 'Requests a minute and key. Absent where the limit is switched off, as all three are.',
    schema: text(1),
  },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: text(0) },
  'X-RateLimit-Reset': {
    description: 'Unix timestamp, in seconds of wall time, at which the window ends.',
    schema: text(0),
  },
};
const OTHERS = {
  'Retry-After': { description: 'Seconds to wait, in wall time.', required: true, schema: text(1) },
  'X-Sandbox-Request': {
    description:
      'Id of the entry in the journal of the sandbox: GET /_sandbox/requests/{id} tells all about it.',
    required: true,
    schema: { type: 'string' },
    'x-fidelity': 'assumed',
    'x-assumption': 'journal',
  },
};
const HINT = {
  'X-Sandbox-Hint': {
    description: 'What of the request was not understood, and the nearest known name.',
    schema: { type: 'string' },
  },
};

/** The headers that responses refer to, as components. */
export function headerComponents(plane: Operation['plane']): Record<string, Json> {
  return plane === 'partner' ? { ...RATE_LIMIT, ...OTHERS } : HINT;
}

/** References to the headers that an answer of this status carries. */
export function headersFor(plane: Operation['plane'], status: number): Record<string, Json> {
  const names =
    plane === 'control'
      ? status < 300
        ? Object.keys(HINT)
        : []
      : [
          ...(status === 401 ? [] : Object.keys(RATE_LIMIT)),
          ...(status === 429 ? ['Retry-After'] : []),
          'X-Sandbox-Request',
        ];
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}
