import * as z from 'zod';
import { assumed } from '../operation/errors.ts';
import { isObject } from '../request/input.ts';

/** The maximum delay of a response, in milliseconds of wall time. */
export const MAX_DELAY_MS = 60_000;
const MAX_RETRY_AFTER_SECONDS = 86_400;
const MAX_BODY_DEPTH = 100;
/** Statuses whose responses have no body in HTTP. */
const BODILESS: readonly number[] = [204, 205, 304];

/** The rule behind every fault and every refusal of one. */
export const FAULT_RULE = assumed('faults');

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
    .refine(isShallow, `must be nested at most ${MAX_BODY_DEPTH} deep`)
    .optional()
    .describe('Body of the response: JSON as JSON, a string as text, null for none.'),
  delayMs: z
    .int()
    .min(0)
    .max(MAX_DELAY_MS)
    .optional()
    .describe('Delay of the response in wall time, in milliseconds.'),
  unknownFields: z.literal(true).optional().describe('Adds unknown fields to every object of the response.'),
  drop: z.literal(true).optional().describe('Closes the connection without a response.'),
  when: z
    .enum(['before', 'after'])
    .default('before')
    .describe('Whether the fault replaces the handling of the request, or only its response.'),
} as const;

const Effect = z.object(faultMembers);

/** What a fault does to a request and its response. */
export type FaultEffect = Readonly<z.output<typeof Effect>>;

/** Parses the members of a fault's effect. */
export function parseFaultEffect(members: unknown, error: z.core.$ZodErrorMap) {
  return Effect.safeParse(members, { error });
}

/** The problem with a combination of members, or null when it is valid. */
export function faultProblem(effect: FaultEffect): string | null {
  const { status, retryAfter, body, delayMs, unknownFields, drop } = effect;
  const hasResponse = status !== undefined || body !== undefined;
  if (!hasResponse && delayMs === undefined && unknownFields === undefined && drop === undefined) {
    return 'a fault needs an effect: a status, a delay, a body, unknownFields or drop';
  }
  if (unknownFields && (hasResponse || drop)) {
    return 'unknownFields changes the response of the sandbox; leave out status, body and drop';
  }
  if (drop && (hasResponse || retryAfter !== undefined)) {
    return 'a fault that drops the connection sends no response; leave out status, body and retry-after';
  }
  if (retryAfter !== undefined && status === undefined) return 'retry-after needs a status';
  if (status !== undefined && isBodiless(status) && body !== undefined && body !== null) {
    return `a response with status ${status} has no body; leave it out`;
  }
  return null;
}

/** Whether responses with this status have no body. */
export function isBodiless(status: number): boolean {
  return BODILESS.includes(status);
}

/** Iterates level by level: a body can be nested deeper than the stack. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_BODY_DEPTH) return false;
    level = level.flatMap(item => (Array.isArray(item) ? item : isObject(item) ? Object.values(item) : []));
  }
  return true;
}
