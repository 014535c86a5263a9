import * as z from 'zod';
import { partners } from '../../core/access/partners.ts';
import {
  defineTable,
  type RowOf,
  rowSchema,
  StoredAmount,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { toAmount } from '../../core/values/money.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { programs } from '../programs/records.ts';
import type { Balance } from './schema.ts';

const BalanceRow = rowSchema(() => ({
  /** Negative if settlements exceeded it. */
  available: z.int(),
  held: StoredAmount,
  updatedAt: StoredTime,
}));

/** A partner's balance, in hundredths; its id is the partner's id. */
export type BalanceRow = RowOf<typeof BalanceRow>;

export const balances = defineTable({ kind: 'balance', row: BalanceRow });

const DEFAULT_CURRENCY = 'USD';

/** Returns the balance as the API shows it, in the currency of the partner's first card program. */
export function viewBalance(state: WorldState, row: BalanceRow): z.input<typeof Balance> {
  const { settings } = state.table(partners).existing(row.partnerId);
  const program = state.table(programs).ofPartner(row.partnerId).at(0);
  return {
    available: toAmount(row.available),
    held: toAmount(row.held),
    currency: program?.currency ?? DEFAULT_CURRENCY,
    lowThreshold: toAmount(settings.lowThreshold),
    alertThreshold: toAmount(settings.alertThreshold),
    updatedAt: row.updatedAt,
  };
}
