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
import { SPEND_KINDS, type SpendKind } from '../cards/spending.ts';
import { SPEND_WINDOWS } from '../programs/records.ts';
import { Currency } from '../programs/schema.ts';
import { DECLINE_REASONS } from './decline-reasons.ts';
import {
  Merchant,
  REVERSAL_REASONS,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  type Transaction,
} from './schema.ts';

const amounts = { limit: StoredAmount, spent: StoredAmount };

const TransactionRow = rowSchema(() => ({
  cardId: StoredId,
  cardholderId: StoredId,
  type: z.enum(TRANSACTION_TYPES),
  status: z.enum(TRANSACTION_STATUSES),
  amount: StoredAmount.min(1),
  /** Null unless it is settled. */
  settledAmount: StoredAmount.min(1).nullable(),
  currency: Currency,
  merchant: Merchant,
  declineReason: z.enum(DECLINE_REASONS).nullable(),
  /** The limit that the authorization would exceed, if that is the reason. */
  declineDetail: z
    .union([
      z.strictObject({ kind: z.enum(SPEND_KINDS), window: z.enum(SPEND_WINDOWS), ...amounts }),
      z.strictObject(amounts),
    ])
    .nullable(),
  /** Only a reversed transaction has one; `merchant` if it is absent. */
  reversalReason: z.enum(REVERSAL_REASONS).exactOptional(),
  /** When the authorization expires; absent if it never does. */
  expiresAt: StoredTime.exactOptional(),
  createdAt: StoredTime,
  updatedAt: StoredTime,
}));

/** A card transaction, its amounts in hundredths. */
export type TransactionRow = RowOf<typeof TransactionRow>;

/** Transactions. Lists of a partner filter by status. */
export const transactions = defineTable({
  kind: 'transaction',
  row: TransactionRow,
  groups: {
    card: row => row.cardId,
    cardholder: row => row.cardholderId,
    status: row => `${row.partnerId} ${row.status}`,
  },
  timeOf: row => timeOf(row.createdAt),
});

/** The kind of spending that a type of transaction counts as. */
export const SPEND_KIND: Readonly<Record<TransactionRow['type'], SpendKind>> = {
  sale: 'sales',
  cash: 'cash',
};

/** Returns the amount that a transaction counts as spent, in hundredths: what it holds or what was settled. */
export function spentAmount({ status, amount, settledAmount }: TransactionRow): number {
  return { authorized: amount, settled: settledAmount ?? amount, declined: 0, reversed: 0 }[status];
}

/** Returns the amount that a transaction holds in the partner's balance, in hundredths. */
export function heldAmount({ status, amount }: TransactionRow): number {
  return status === 'authorized' ? amount : 0;
}

export function viewTransaction(row: TransactionRow): z.input<typeof Transaction> {
  return {
    id: row.id,
    cardId: row.cardId,
    cardholderId: row.cardholderId,
    type: row.type,
    status: row.status,
    amount: toAmount(row.amount),
    settledAmount: row.settledAmount === null ? null : toAmount(row.settledAmount),
    currency: row.currency,
    merchant: row.merchant,
    declineReason: row.declineReason,
    declineDetail: viewDeclineDetail(row.declineDetail),
    reversalReason: row.status === 'reversed' ? (row.reversalReason ?? 'merchant') : null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Returns the limit that an authorization would exceed as the API shows it. */
export function viewDeclineDetail(
  detail: TransactionRow['declineDetail'],
): z.input<typeof Transaction>['declineDetail'] {
  return detail && { ...detail, limit: toAmount(detail.limit), spent: toAmount(detail.spent) };
}
