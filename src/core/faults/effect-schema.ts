import * as z from 'zod';
import { isObject } from '../request/input.ts';

/** The maximum delay of a response, in milliseconds of wall time. */
export const MAX_DELAY_MS = 60_000;
const MAX_RETRY_AFTER_SECONDS = 86_400;
const MAX_BODY_DEPTH = 100;

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

/** Iterates level by level: a body can be nested deeper than the stack. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_BODY_DEPTH) return false;
    level = level.flatMap(item => (Array.isArray(item) ? item : isObject(item) ? Object.values(item) : []));
  }
  return true;
}
