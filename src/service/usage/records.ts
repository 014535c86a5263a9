import * as z from 'zod';
import {
  defineTable,
  type RowOf,
  rowSchema,
  StoredAmount,
  StoredId,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { toAmount } from '../../core/values/money.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { ProgramRow, UsageType } from '../programs/records.ts';
import { USAGE_TYPES } from '../programs/schema.ts';
import type { UsageRecord } from './schema.ts';

const UsageRow = rowSchema(() => ({
  type: z.enum(USAGE_TYPES),
  amount: StoredAmount,
  referenceId: StoredId,
  createdAt: StoredTime,
}));

/** A billed usage. */
export type UsageRow = RowOf<typeof UsageRow>;

export const usageRecords = defineTable({
  kind: 'usage record',
  row: UsageRow,
  groups: { type: row => `${row.partnerId} ${row.type}` },
  timeOf: row => timeOf(row.createdAt),
});

/** Records a usage of a program, at the program's fee, with `referenceId` as the billed record. */
export function recordUsage(
  state: WorldState,
  program: ProgramRow,
  type: UsageType,
  referenceId: string,
): void {
  state.table(usageRecords).insert({
    id: state.random.id('use'),
    partnerId: program.partnerId,
    type,
    amount: program.fees[type],
    referenceId,
    createdAt: state.clock.timestamp(),
  });
}

/** Returns the record as the API shows it (interface section 2.4). */
export function viewUsage(row: UsageRow): z.input<typeof UsageRecord> {
  const { id, type, referenceId, createdAt } = row;
  return {
    id,
    type,
    amount: toAmount(row.amount),
    referenceId,
    // The month in UTC.
    billingPeriod: createdAt.slice(0, 7),
    createdAt,
  };
}
