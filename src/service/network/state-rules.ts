import { partners } from '../../core/access/partners.ts';
import { type RowRule, reference, rowRule } from '../../core/store/row-rule.ts';
import { balances } from '../balance/records.ts';
import { cards } from '../cards/records.ts';
import { transactions } from '../transactions/records.ts';

/** Invariants of transactions and of balances. */
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
  rowRule(partners, ({ id }, state) =>
    state.table(balances).get(id)?.partnerId === id ? null : 'id: has no balance',
  ),
  rowRule(balances, ({ id, partnerId }) => (id === partnerId ? null : "id: must be the partner's id")),
];
