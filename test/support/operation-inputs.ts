import * as z from 'zod';
import { type RealTime, realTime } from '../../src/core/time/realtime.ts';
import { operations } from '../../src/sandbox/operations.ts';
import { validInputs } from '../../src/sandbox/valid-inputs.ts';

/** The field names of all operations, at any depth. */
export const NAMES = [
  ...new Set(operations.flatMap(({ body, query }) => [...fieldNamesOf(body), ...fieldNamesOf(query)])),
];

/** The field names of a schema, at any depth. */
export function fieldNamesOf(schema: z.ZodType | null): string[] {
  if (schema === null) return [];
  const document = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const names: string[] = [];
  JSON.parse(document, (name, value) => {
    if (name === 'properties') names.push(...Object.keys(value));
    return value;
  });
  return names;
}

/** Valid values by field name. */
export const VALID_VALUES: Readonly<Record<string, unknown>> = Object.assign(
  {
    at: '2026-03-15T10:00:00Z',
    gracePeriod: '1h',
    expiresIn: '1h',
    partnerId: 'partner_globex',
    source: 'idp2',
    outcome: 'manual',
    ipAllowList: ['localhost'],
    allowedOrigins: [],
    rateLimitPerMinute: 0,
  },
  ...operations.flatMap(({ id }) => validInputs(id).map(({ body }) => body)),
);

/** Wall time with short timers, so that calls that wait for something give up soon. */
export const shortTimers: RealTime = {
  ...realTime,
  after: (delayMs, task) => realTime.after(Math.min(delayMs, 5), task),
};

/** Whether a response is an event stream, which does not end by itself. */
export const isStream = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream');
