import * as z from 'zod';
import { type ApiError, badRequest, FAULT_RULE } from '../operation/errors.ts';
import { isTooDeep } from '../values/depth.ts';
import { parseDuration } from '../values/duration.ts';
import { describeIssue } from '../values/schemas/validation-messages.ts';
import { skippedMember } from '../values/skipped-member.ts';
import { shorten } from '../values/text.ts';

/** The maximum delay of a response, in milliseconds of wall time. */
const MAX_DELAY_MS = 60_000;
const MAX_RETRY_AFTER_SECONDS = 86_400;
const MAX_REQUESTS = 1_000_000;
/** Leaves room for the state document around it. */
const MAX_BODY_DEPTH = 90;

/** The members of a fault's effect, as schemas. `faultProblem` checks their combination. */
export const faultMembers = {
  status: z.int().min(200).max(599).optional().describe('Status of the response.'),
  retryAfter: z
    .int()
    .min(0)
    .max(MAX_RETRY_AFTER_SECONDS)
    .optional()
    .describe('Seconds in `Retry-After`, for a fault with a status; 1 for a 429.'),
  body: z
    .unknown()
    .refine(
      value => !isTooDeep(value, MAX_BODY_DEPTH) && skippedMember(value) === null,
      `must be nested at most ${MAX_BODY_DEPTH} deep, without a member __proto__`,
    )
    .optional()
    .describe('Body of the response: JSON as JSON, a string as text, null for none.'),
  delayMs: z
    .int()
    .min(0)
    .max(MAX_DELAY_MS)
    .optional()
    .describe('Delay of the response in wall time, in milliseconds.'),
  unknownFields: z.literal(true).optional().describe('Adds unknown fields to every object of the response.'),
  unknownStatusOf: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Id of a record whose `status` and `kycStatus` read `future_status` in the response.'),
  inPieces: z
    .literal(true)
    .optional()
    .describe('Sends the body of the response in pieces, which end within characters too.'),
  drop: z.literal(true).optional().describe('Closes the connection without a response.'),
  when: z
    .enum(['before', 'after'])
    .default('before')
    .describe('Whether the fault replaces the handling of the request, or only its response.'),
} as const;

/** Which of the matching requests a fault affects, as schemas. */
export const faultCounts = {
  after: z
    .int()
    .min(0)
    .max(MAX_REQUESTS)
    .default(0)
    .describe('How many matching requests it lets through first.'),
  times: z
    .int()
    .min(1)
    .max(MAX_REQUESTS)
    .optional()
    .describe('How often it applies. Default: until it is deleted.'),
} as const;

const Effect = z.object(faultMembers);

export type FaultEffect = Readonly<z.output<typeof Effect>>;

export interface ActingFault {
  readonly id: string;
  readonly effect: FaultEffect;
}

const BODILESS: readonly number[] = [204, 205, 304];

export function faultProblem(effect: FaultEffect): string | null {
  const { status, retryAfter, body, delayMs, unknownFields, unknownStatusOf, inPieces, drop } = effect;
  const hasResponse = status !== undefined || body !== undefined;
  const changes = unknownFields === undefined ? unknownStatusOf && 'unknownStatusOf' : 'unknownFields';
  if (!hasResponse && (delayMs ?? changes ?? inPieces ?? drop) === undefined) {
    return 'a fault needs an effect: a status, a delay, a body, unknownFields, unknownStatusOf, inPieces or drop';
  }
  if (changes && (hasResponse || drop)) {
    return `${changes} changes the response of the sandbox; leave out status, body and drop`;
  }
  if (inPieces && drop) return 'a fault that drops the connection sends no pieces; leave out inPieces';
  if (drop && (hasResponse || retryAfter !== undefined)) {
    return 'a fault that drops the connection sends no response; leave out status, body and retry-after';
  }
  if (retryAfter !== undefined && status === undefined) return 'retry-after needs a status';
  if (status !== undefined && isBodiless(status) && body !== undefined && body !== null) {
    return `a response with status ${status} has no body; leave it out`;
  }
  return null;
}

export function isBodiless(status: number): boolean {
  return BODILESS.includes(status);
}

const FORM = 'status=503; delay=250ms, with status, delay, retry-after, drop and when';

/** The fault member for each part of the header. */
const MEMBERS: ReadonlyMap<string, keyof FaultEffect> = new Map([
  ['status', 'status'],
  ['delay', 'delayMs'],
  ['retry-after', 'retryAfter'],
  ['drop', 'drop'],
  ['when', 'when'],
]);

/** Parses the fault in a request's own header, `X-Sandbox-Fault: status=503; delay=250ms`. Throws a 400 for an invalid one. */
export function parseFaultHeader(value: string | readonly string[]): FaultEffect {
  if (typeof value !== 'string') throw refusal('must be given once');
  const members = new Map<string, unknown>();
  for (const part of value.split(';').map(each => each.trim())) {
    if (part === '') continue;
    const [name = '', text] = part.split(/\s*=\s*(.*)/s);
    const member = MEMBERS.get(name.toLowerCase());
    if (member === undefined) {
      throw refusal(`${JSON.stringify(shorten(part))} is not a part of a fault; use ${FORM}`);
    }
    if (members.has(member)) throw refusal(`${name} must be given once`);
    members.set(member, parsePart(member, text));
  }
  const result = Effect.safeParse(Object.fromEntries(members), { error: describeIssue });
  if (!result.success) {
    throw refusal(result.error.issues.map(issue => `${nameOf(issue.path[0])} ${issue.message}`).join('; '));
  }
  const problem = faultProblem(result.data);
  if (problem !== null) throw refusal(problem);
  return result.data;
}

/** Parses the value of a part. A value that cannot be parsed stays a string, which the schema refuses. */
function parsePart(member: keyof FaultEffect, text: string | undefined): unknown {
  if (member === 'drop') return text === undefined || text === 'true' ? true : text;
  if (text === undefined) throw refusal(`${nameOf(member)} needs a value; use ${FORM}`);
  if (member === 'when') return text;
  if (member !== 'delayMs') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  const delay = parseDuration(text);
  if (delay === null || delay > MAX_DELAY_MS) {
    throw refusal(`delay must be a duration such as 250ms or 2s, at most ${MAX_DELAY_MS / 1_000}s`);
  }
  return delay;
}

function nameOf(member: unknown): string {
  return [...MEMBERS].find(([, each]) => each === member)?.[0] ?? '';
}

function refusal(problem: string): ApiError {
  return badRequest(FAULT_RULE, `header X-Sandbox-Fault: ${problem}`);
}
