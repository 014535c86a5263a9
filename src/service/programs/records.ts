import * as z from 'zod';
import {
  defineTable,
  type RowOf,
  rowSchema,
  StoredAmount,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { toAmount } from '../../core/values/money.ts';
import { CARD_BRANDS, CARD_TYPES, type CardProgram, Currency, type USAGE_TYPES } from './schema.ts';

/** A kind of billed usage (interface section 2.4). */
export type UsageType = (typeof USAGE_TYPES)[number];

/** The four windows of a spend control (interface section 2.3), in the order in which they are checked. */
export const SPEND_WINDOWS = ['perTransaction', 'daily', 'monthly', 'allTime'] as const;

/** An amount for each of the four windows, in hundredths. */
export const WindowAmounts = z.strictObject({
  perTransaction: StoredAmount,
  daily: StoredAmount,
  monthly: StoredAmount,
  allTime: StoredAmount,
});

export type WindowAmounts = RowOf<typeof WindowAmounts>;

/** The limits of a card: over all time, and per kind and window. */
export const SpendLimits = z.strictObject({
  limit: StoredAmount,
  sales: WindowAmounts,
  cash: WindowAmounts,
});

export type SpendLimits = RowOf<typeof SpendLimits>;

const ProgramRow = rowSchema(() => ({
  name: z.string(),
  type: z.enum(CARD_TYPES),
  brand: z.enum(CARD_BRANDS),
  currency: Currency,
  status: z.literal('active'),
  fees: z.strictObject({
    card_issuance: StoredAmount,
    transaction_processing: StoredAmount,
    kyc_verification: StoredAmount,
  }),
  defaults: SpendLimits,
  /** How long an authorization lasts, in milliseconds; null: it never expires; absent: the default. */
  authorizationTtlMs: z.int().min(0).nullable().exactOptional(),
  createdAt: StoredTime,
}));

/** A card program, with the default limits of its cards. */
export type ProgramRow = RowOf<typeof ProgramRow>;

export const programs = defineTable({ kind: 'card program', row: ProgramRow });

export function viewProgram(row: ProgramRow): z.input<typeof CardProgram> {
  const { id, name, type, brand, currency, status, createdAt } = row;
  const fees = {
    card_issuance: toAmount(row.fees.card_issuance),
    transaction_processing: toAmount(row.fees.transaction_processing),
    kyc_verification: toAmount(row.fees.kyc_verification),
  };
  return { id, name, type, brand, currency, status, fees, createdAt };
}
