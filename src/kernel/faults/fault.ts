import * as z from 'zod';
import { assumed } from '../operation/errors.ts';
import { isObject } from '../request/input.ts';

/** The longest that a fault delays an answer. */
export const LONGEST_DELAY_MS = 60_000;
const LONGEST_RETRY_AFTER = 86_400;
const DEEPEST_BODY = 100;
/** Statuses whose answers have no body by the rules of HTTP. */
const BODILESS: readonly number[] = [204, 205, 304];

/** What every fault and every refusal of one rests on. */
export const FAULT_RULE = assumed('faults');

/** What a fault does to the answer of a request, as its schema members; `faultProblem` checks them together. */
export const faultMembers = {
  status: z.int().min(200).max(599).optional().describe('Status that is answered.'),
  retryAfter: z
    .int()
    .min(0)
    .max(LONGEST_RETRY_AFTER)
    .optional()
    .describe('Seconds in `Retry-After`, for a fault with a status; 1 for a 429.'),
  body: z
    .unknown()
    .refine(isShallow, `must be nested at most ${DEEPEST_BODY} deep`)
    .optional()
    .describe('Body that is answered: JSON as JSON, a text as it is, null for none.'),
  delayMs: z
    .int()
    .min(0)
    .max(LONGEST_DELAY_MS)
    .optional()
    .describe('Wall time by which the answer comes late, in milliseconds.'),
  drop: z.literal(true).optional().describe('Closes the connection without an answer.'),
  when: z
    .enum(['before', 'after'])
    .default('before')
    .describe('Whether the fault takes the place of the request, or only of its answer.'),
} as const;

const Effect = z.object(faultMembers);

/** What a fault does to the answer of a request. */
export type FaultEffect = Readonly<z.output<typeof Effect>>;

/** Reads the effect of a fault from members as people wrote them. */
export function parseFaultEffect(members: unknown, error: z.core.$ZodErrorMap) {
  return Effect.safeParse(members, { error });
}

/** What is wrong with the members of a fault taken together; null when nothing is. */
export function faultProblem({ status, retryAfter, body, delayMs, drop }: FaultEffect): string | null {
  const hasAnswer = status !== undefined || body !== undefined;
  if (!hasAnswer && delayMs === undefined && drop === undefined) {
    return 'a fault needs an effect: a status, a delay, a body or drop';
  }
  if (drop && (hasAnswer || retryAfter !== undefined)) {
    return 'a fault that drops the connection sends no answer; leave status, body and the time to retry out';
  }
  if (retryAfter !== undefined && status === undefined) return 'a time to retry needs a status';
  if (status !== undefined && isBodiless(status) && body !== undefined && body !== null) {
    return `an answer with status ${status} has no body; leave it out`;
  }
  return null;
}

/** Whether answers with this status have no body. */
export function isBodiless(status: number): boolean {
  return BODILESS.includes(status);
}

/** Looks level by level: a body may be nested deeper than any stack, and is written to JSON with one. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_BODY) return false;
    level = level.flatMap(item => (Array.isArray(item) ? item : isObject(item) ? Object.values(item) : []));
  }
  return true;
}
