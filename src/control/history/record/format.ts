import * as z from 'zod';
import { isoTime, timeOf } from '../../../core/values/timestamp.ts';
import { MAX_CHECKPOINTS } from '../../../core/world/current-state.ts';
import { RECORD_VERSION } from './limits.ts';

const Time = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    'must be a time as the sandbox writes it, such as 2026-01-31T12:00:00.000Z',
  )
  .refine(text => isoTime(timeOf(text) || 0) === text, 'must be a time that there is');
const EntryId = z.string().regex(/^ent_[1-9]\d{0,14}$/, 'must be ent_ and a number');

export function numberOf(id: string): number {
  return Number(id.slice('ent_'.length));
}

/** Headers that name who called, which says nothing about what was asked. No record has them. */
export const PRIVATE_HEADERS: readonly string[] = ['authorization', 'proxy-authorization', 'cookie'];

const HeaderName = z
  .string()
  .regex(/^[^A-Z\s:]+$/, 'must be the name of a header in lower case')
  .refine(name => !PRIVATE_HEADERS.includes(name), 'must not be a header that names who called');
const HeaderValue = z.string().regex(/^[^\0\r\n]*$/, 'must be the value of a header, on one line');
const Headers = z.record(HeaderName, z.union([HeaderValue, z.array(HeaderValue)]));

/** Why an entry cannot be played. */
export const REASONS = {
  earlier: 'it names entries before this record',
  page: 'a person opened a page',
  fixture: 'it names a fixture that this record does not have',
  body: 'its body is not text, or is larger than 1 MiB',
  liveKey: 'it holds a production key',
  controlToken: 'it holds the control token',
  cardNumber: 'it holds a card number',
} as const;

const Forwarding = z.strictObject({
  url: z.string().nullable(),
  map: z.record(z.string(), z.string()),
  allowHttp: z.boolean(),
});

/** The options of a sandbox that decide the future of a world. The sandbox checks their values as it checks its own. */
const Options = z.strictObject({
  seed: z.unknown(),
  kycDelay: z.unknown(),
  rateLimit: z.unknown(),
  retrySpeed: z.unknown(),
  idLength: z.unknown().optional(),
  assume: z.unknown(),
  names: z.unknown(),
  documentedOnly: z.unknown(),
  allowHttpWebhooks: z.unknown(),
  forwardTo: z.unknown().optional(),
  map: z.unknown(),
  publicUrl: z.unknown().optional(),
  forwarding: Forwarding.exactOptional().describe(
    'The forwarding in force, where it has changed since the start.',
  ),
  origin: z.string().regex(/^https?:\/\/[^/?#\s]+$/, 'must be the origin of a URL'),
  keys: z
    .strictObject({
      tag: z
        .string()
        .regex(/^[\da-z]{8}$/)
        .nullable(),
      seed: z.int().min(0),
      secret: z
        .string()
        .regex(/^[\da-f]{64}$/)
        .nullable(),
    })
    .describe('What makes the API keys of the world, and its secrets.'),
});

export const Header = z.strictObject({
  record: z.literal(RECORD_VERSION),
  cardSandbox: z.string().describe('The version that wrote it.'),
  world: z.string().regex(/^[a-z\d][\w-]{0,63}$/i, 'must be the id of a world'),
  contains: z.string(),
  options: Options.describe('What decides the future of the world.'),
  start: z.record(z.string(), z.unknown()).describe('The state document that the record begins with.'),
});

const Struck = z
  .array(z.string())
  .describe('Ids of the misbehaviours of an exam that struck it, or that show in its response.');

const Entry = z
  .strictObject({
    id: EntryId,
    requestId: z.string().exactOptional(),
    plane: z.enum(['partner', 'control', 'page']),
    at: Time.describe('Sandbox time at which it was handled or, for a call that waited, at its end.'),
    startedAt: Time.exactOptional().describe('Sandbox time at which a call that waited began.'),
    order: z
      .int()
      .min(1)
      .exactOptional()
      .describe('A call that waited began before those with a larger number.'),
    meanwhile: z
      .int()
      .min(1)
      .exactOptional()
      .describe('The number of lines before it of what happened after it had begun.'),
    method: z.string(),
    path: z
      .string()
      .regex(/^[^?]*$/, 'must be a path without its query')
      .describe('Without `/worlds/{world}`.'),
    query: z.string(),
    headers: Headers,
    body: z.string().nullable(),
    remoteAddress: z.string(),
    status: z.int().nullable().describe('Null where the request was lost before it was applied.'),
    response: z.strictObject({ headers: Headers, body: z.string() }).nullable(),
    summary: z.string(),
    rule: z.string().exactOptional().describe('The rule behind a refusal, such as `interface 4.1`.'),
    fault: z.string().exactOptional().describe('Id of the fault that acted, or `header`.'),
    struck: Struck.exactOptional(),
    created: z
      .array(
        z.strictObject({
          kind: z.string(),
          id: z.string(),
          owner: z.string().describe('Id of the cardholder of a card; otherwise of the partner.'),
          ownerName: z.string(),
          content: z.record(z.string(), z.unknown()).describe('What the same request would say again.'),
        }),
      )
      .exactOptional()
      .describe('The records that it created, in a world of an exam.'),
    undone: z
      .array(z.string())
      .exactOptional()
      .describe('Ids of the records that it cancelled, in such a world.'),
    dropped: z.literal(true).exactOptional().describe('Whether the response was lost on its way.'),
    by: z
      .enum(['rate-limit', 'handler', 'disturbance'])
      .exactOptional()
      .describe('What answered, where a sandbox that plays the record cannot.'),
    unrepeatable: z.enum(Object.values(REASONS)).exactOptional().describe('Why it cannot be played.'),
    state: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .describe('The state to which a reset or restore went back.'),
    checkpoints: z
      .array(z.string())
      .max(MAX_CHECKPOINTS + 1)
      .exactOptional()
      .describe('The names of the checkpoints before a call that is about them, where there are any.'),
    stateOf: EntryId.exactOptional().describe('The entry that carries that state.'),
  })
  .superRefine(({ status, response, dropped, body, unrepeatable }, context) => {
    const refuse = (member: string, message: string) =>
      context.addIssue({ code: 'custom', path: [member], message });
    if (status === null && !dropped) refuse('status', 'must be a number where the response was not dropped');
    if ((status === null) !== (response === null))
      refuse('response', 'must be null exactly where the status is');
    if ((body === null) !== (unrepeatable !== undefined))
      refuse('body', 'must be null exactly where the entry says why it cannot be played');
  });

const Attempt = z.strictObject({
  event: z.string(),
  eventType: z.string(),
  startedAt: Time,
  at: Time.describe('Sandbox time of its end.'),
  url: z.string().nullable(),
  status: z.int().nullable(),
  cause: z.string().nullable(),
  durationMs: z.number().min(0),
  requestHeaders: z.record(z.string(), z.string()),
  responseBody: z.string().nullable(),
  fault: z.string().nullable(),
  repeatStatus: z
    .int()
    .nullable()
    .exactOptional()
    .describe('Status of the response to the second request of a `duplicate`; null without a response.'),
  extra: z.literal(true).exactOptional(),
  redelivery: z.literal(true).exactOptional(),
  struck: Struck.exactOptional(),
});

const End = z.strictObject({
  at: Time,
  entries: z.int().min(0),
  attempts: z.int().min(0),
  coverage: z.record(z.string(), z.int().min(1)),
  firstAt: z
    .record(z.string(), Time)
    .exactOptional()
    .describe('When each of these conditions was first seen.'),
});

const Rewind = z.strictObject({
  to: EntryId,
  forwarding: Forwarding.exactOptional().describe(
    'The forwarding in force, where a call changed it that the rewind undid: it stays.',
  ),
});

export type RecordHeader = z.output<typeof Header>;
export type RecordEntry = z.output<typeof Entry>;
export type RecordAttempt = z.output<typeof Attempt>;
type RecordRewind = z.output<typeof Rewind>;
export type RecordEnd = z.output<typeof End>;

export type RecordLine =
  | { readonly entry: RecordEntry }
  | { readonly attempt: RecordAttempt }
  | { readonly rewind: RecordRewind }
  | { readonly end: RecordEnd };

export const LINES = { entry: Entry, attempt: Attempt, rewind: Rewind, end: End };
