import type * as z from 'zod';
import { type Hundredths, toAmount } from '../../kernel/money.ts';
import { defineTable, type Row } from '../../kernel/store.ts';
import type { ProgramRow, SpendLimits, WindowAmounts } from '../programs/records.ts';
import type { CARD_STATUSES, Card } from './schema.ts';

/** A card, without its number. */
export interface CardRow extends Row {
  readonly cardholderId: string;
  readonly programId: string;
  readonly type: ProgramRow['type'];
  readonly brand: ProgramRow['brand'];
  readonly status: (typeof CARD_STATUSES)[number];
  readonly nameOnCard: string;
  readonly last4: string;
  readonly limits: SpendLimits;
  readonly spent: Readonly<Record<'sales' | 'cash', WindowAmounts>>;
  readonly createdAt: string;
}

/** Cards. */
export const cards = defineTable<CardRow>()({
  kind: 'card',
  unique: {},
  groups: { cardholder: row => row.cardholderId },
});

/** What is printed on a card; its id is the card's. */
export interface VaultRow extends Row {
  readonly number: string;
  readonly cvv: string;
  /** The last month in which the card is good, `YYYY-MM`. */
  readonly expiry: string;
}

/** The vault: the only place that holds card numbers. */
export const vault = defineTable<VaultRow>()({
  kind: 'vault entry',
  unique: { number: row => row.number },
  groups: {},
});

const NOTHING: WindowAmounts = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };

/** What a new card has spent. */
export const NOTHING_SPENT = { sales: NOTHING, cash: NOTHING } as const;

function viewWindows({
  perTransaction,
  daily,
  monthly,
  allTime,
}: WindowAmounts): Record<keyof WindowAmounts, Hundredths> {
  return {
    perTransaction: toAmount(perTransaction),
    daily: toAmount(daily),
    monthly: toAmount(monthly),
    allTime: toAmount(allTime),
  };
}

/** The card as the API shows it (interface sections 2.2 and 2.3). */
export function viewCard(row: CardRow): z.input<typeof Card> {
  return {
    id: row.id,
    type: row.type,
    brand: row.brand,
    status: row.status,
    nameOnCard: row.nameOnCard,
    limit: toAmount(row.limits.limit),
    last4: row.last4,
    programId: row.programId,
    createdAt: row.createdAt,
    spendControl: {
      sales: viewWindows(row.limits.sales),
      cash: viewWindows(row.limits.cash),
      spent: { sales: viewWindows(row.spent.sales), cash: viewWindows(row.spent.cash) },
    },
  };
}
