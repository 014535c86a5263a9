import * as z from 'zod';
import { type RowOf, rowSchema, StoredId } from '../store/row.ts';
import { type RowRule, rowRule } from '../store/row-rule.ts';
import { defineTable } from '../store/table-definition.ts';
import { type FaultEffect, faultMembers } from './effect-schema.ts';

/** The effect of a fault and the requests it acts on. */
const FaultOrder = () =>
  z.strictObject({
    ...faultMembers,
    when: z.enum(['before', 'after']),
    /** The partner whose requests it acts on; all when undefined. */
    partnerId: StoredId.optional(),
    /** Sandbox time in milliseconds from which on it acts, and before which it acts; always when undefined. */
    from: z.int().optional(),
    until: z.int().optional(),
    /** Method of the operation; any when undefined. */
    method: z.string().optional(),
    /** Path of the operation as the interface writes it. Any when undefined, including unknown paths. */
    path: z.string().optional(),
    /** How many matching requests pass before the fault acts. */
    after: z.int().min(0),
    /** How many times it acts; until it is deleted when undefined. */
    times: z.int().min(1).optional(),
  });

/** The effect of a fault and the requests it acts on. */
export type FaultOrder = RowOf<typeof FaultOrder>;

const FaultRow = rowSchema(() => ({
  order: FaultOrder(),
  /** How many matching requests have passed, and how often it has acted. */
  passed: z.int().min(0),
  hits: z.int().min(0),
}));

/** An armed fault. */
export type FaultRow = RowOf<typeof FaultRow>;

/** The faults of the API, in the order in which they were armed. */
export const faultTable = defineTable({ kind: 'fault', row: FaultRow, unique: {}, groups: {} });

/** Invariants of faults. */
export const faultRules: readonly RowRule[] = [
  rowRule(faultTable, ({ partnerId, order }) => {
    if (order.partnerId !== undefined && order.partnerId !== partnerId) {
      return "order.partnerId: must be missing or the row's partnerId";
    }
    const problem = faultProblem(order);
    return problem === null ? null : `order: ${problem}`;
  }),
];

/** Statuses whose responses have no body in HTTP. */
const BODILESS: readonly number[] = [204, 205, 304];

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
