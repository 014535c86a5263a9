import * as z from 'zod';
import { type RowOf, rowSchema, StoredId } from '../store/row.ts';
import { type RowRule, rowRule } from '../store/row-rule.ts';
import { defineTable } from '../store/table-definition.ts';
import { faultProblem } from './fault.ts';
import { faultMembers } from './schema.ts';

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
