import * as z from 'zod';
import { type RealTime, realTime } from '../../src/core/time/realtime.ts';
import { operations } from '../../src/sandbox/operations.ts';

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
export const VALID_VALUES: Readonly<Record<string, unknown>> = {
  externalUserId: 'user_random',
  email: 'random@example.com',
  phoneNumber: '+4915123456789',
  kycSource: 'idp1',
  idp1ShareToken: 'idp1_test_approve_random',
  kycSessionId: 'x',
  residenceCountryCode: 'DE',
  cardProgramId: 'prog_everyday',
  type: 'virtual',
  limit: 12.5,
  spendControl: { sales: { daily: 1 }, cash: { allTime: 2 } },
  webhookUrl: 'https://hooks.example/',
  webhookSecret: 'a-secret-of-16-characters',
  subscribedEvents: ['card.issued'],
  redirectUrl: 'https://app.example/',
  duration: '1h',
  at: '2026-03-15T10:00:00Z',
  gracePeriod: '1h',
  expiresIn: '1h',
  partnerId: 'partner_globex',
  source: 'idp2',
  outcome: 'manual',
  identity: { firstName: 'Ada' },
  status: 'suspended',
  ipAllowList: ['localhost'],
  allowedOrigins: [],
  rateLimitPerMinute: 0,
  lowThreshold: 1.25,
};

/** Wall time with short timers, so that calls that wait for something give up soon. */
export const shortTimers: RealTime = {
  ...realTime,
  after: (delayMs, task) => realTime.after(Math.min(delayMs, 5), task),
};

/** Whether a response is an event stream, which does not end by itself. */
export const isStream = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream');
