import type * as z from 'zod';
import { type Hundredths, toAmount } from '../../kernel/money.ts';
import { defineTable, type Row } from '../../kernel/store.ts';
import type { CARD_BRANDS, CARD_TYPES, CardProgram, USAGE_TYPES } from './schema.ts';

/** What is billed (interface section 2.4). */
export type UsageType = (typeof USAGE_TYPES)[number];

/** The four windows of a spend control (interface section 2.3), in the order in which they are checked. */
export const SPEND_WINDOWS = ['perTransaction', 'daily', 'monthly', 'allTime'] as const;

/** An amount for each of the four windows. */
export type WindowAmounts = Readonly<Record<(typeof SPEND_WINDOWS)[number], Hundredths>>;

/** What a card may spend: over all time, and per kind and window. */
export interface SpendLimits {
  readonly limit: Hundredths;
  readonly sales: WindowAmounts;
  readonly cash: WindowAmounts;
}

/** A card program, with the limits that its cards get unless they are issued with others. */
export interface ProgramRow extends Row {
  readonly name: string;
  readonly type: (typeof CARD_TYPES)[number];
  readonly brand: (typeof CARD_BRANDS)[number];
  readonly currency: string;
  readonly status: 'active';
  readonly fees: Readonly<Record<UsageType, Hundredths>>;
  readonly defaults: SpendLimits;
  readonly createdAt: string;
}

/** Card programs. */
export const programs = defineTable<ProgramRow>()({ kind: 'card program', unique: {}, groups: {} });

/** The program as the API shows it. */
export function viewProgram(row: ProgramRow): z.input<typeof CardProgram> {
  const { id, name, type, brand, currency, status, createdAt } = row;
  const fees = {
    card_issuance: toAmount(row.fees.card_issuance),
    transaction_processing: toAmount(row.fees.transaction_processing),
    kyc_verification: toAmount(row.fees.kyc_verification),
  };
  return { id, name, type, brand, currency, status, fees, createdAt };
}
