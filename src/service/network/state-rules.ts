import { partners } from '../../core/access/partners.ts';
import { type RowRule, reference, rowRule, rowRuleOver } from '../../core/store/row-rule.ts';
import { toAmount } from '../../core/values/money.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { balances } from '../balance/records.ts';
import { cards } from '../cards/records.ts';
import { type SpendKind, spendWindows, windowIdsAt } from '../cards/spending.ts';
import { SPEND_KIND, spentAmount, transactions } from '../transactions/records.ts';

/** Invariants of transactions and of the sums over them. */
export const transactionRules: readonly RowRule[] = [
  reference(transactions, 'cardId', ({ cardId }) => cardId, cards),
  rowRule(transactions, ({ cardId, cardholderId }, state) =>
    (state.table(cards).get(cardId)?.cardholderId ?? cardholderId) === cardholderId
      ? null
      : 'cardholderId: must be the cardholder of its card',
  ),
  rowRule(transactions, ({ status, settledAmount, declineReason, reversalReason }) => {
    if ((settledAmount !== null) !== (status === 'settled')) {
      return 'settledAmount: must be set when it is settled, and null otherwise';
    }
    if (reversalReason !== undefined && status !== 'reversed') {
      return 'reversalReason: only a reversed transaction has one';
    }
    return (declineReason !== null) === (status === 'declined')
      ? null
      : 'declineReason: must be set when it is declined, and null otherwise';
  }),
  reference(spendWindows, 'cardId', ({ cardId }) => cardId, cards),
  rowRuleOver(spendWindows, state => {
    const sums = spentByWindow(state);
    return ({ id, sales, cash }) => {
      const sum = sums.get(id) ?? NO_SPENDING;
      if (sales !== sum.sales) return `sales: must be ${sum.sales}, the sum of the card's transactions`;
      return cash === sum.cash ? null : `cash: must be ${sum.cash}, the sum of the card's transactions`;
    };
  }),
  rowRule(transactions, (row, state) => {
    if (spentAmount(row) === 0) return null;
    const missing = Object.values(windowIdsAt(row.cardId, row.createdAt)).find(
      id => state.table(spendWindows).get(id) === undefined,
    );
    return missing === undefined ? null : `id: is not counted in the spend window ${JSON.stringify(missing)}`;
  }),
  rowRule(partners, ({ id }, state) =>
    state.table(balances).get(id)?.partnerId === id ? null : 'id: has no balance',
  ),
  rowRule(balances, ({ id, partnerId }) => (id === partnerId ? null : "id: must be the partner's id")),
  rowRuleOver(balances, state => {
    const sums = heldByPartner(state);
    return ({ partnerId, held }) => {
      const sum = sums.get(partnerId) ?? 0;
      return held === sum
        ? null
        : `held: must be ${sum}, the sum of the authorized amounts (${toAmount(sum)})`;
    };
  }),
];

const NO_SPENDING: Readonly<Record<SpendKind, number>> = { sales: 0, cash: 0 };

function spentByWindow(state: WorldState): ReadonlyMap<string, Readonly<Record<SpendKind, number>>> {
  const sums = new Map<string, Record<SpendKind, number>>();
  for (const row of state.table(transactions).all()) {
    for (const id of Object.values(windowIdsAt(row.cardId, row.createdAt))) {
      const sum = sums.get(id) ?? { ...NO_SPENDING };
      sum[SPEND_KIND[row.type]] += spentAmount(row);
      sums.set(id, sum);
    }
  }
  return sums;
}

function heldByPartner(state: WorldState): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { partnerId, status, amount } of state.table(transactions).all()) {
    if (status === 'authorized') sums.set(partnerId, (sums.get(partnerId) ?? 0) + amount);
  }
  return sums;
}
