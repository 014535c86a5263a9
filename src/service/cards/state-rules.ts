import { type RowRule, reference, rowRule } from '../../core/store/row-rule.ts';
import { cardholders } from '../cardholders/records.ts';
import { programs } from '../programs/records.ts';
import { usageRecords } from '../usage/records.ts';
import { cards, vault } from './records.ts';

/** Invariants of cards, their vault entries and their usage records. */
export const cardRules: readonly RowRule[] = [
  reference(cards, 'cardholderId', ({ cardholderId }) => cardholderId, cardholders),
  reference(cards, 'programId', ({ programId }) => programId, programs),
  rowRule(cards, ({ cardholderId }, state) =>
    (state.table(cardholders).get(cardholderId)?.kycStatus ?? 'approved') === 'approved'
      ? null
      : `cardholderId: cardholder ${cardholderId} must have kycStatus approved, because it has a card`,
  ),
  rowRule(cards, ({ id, partnerId, last4 }, state) => {
    const printed = state.table(vault).get(id);
    if (printed === undefined || printed.partnerId !== partnerId) return 'id: has no vault entry';
    return printed.number.endsWith(last4)
      ? null
      : 'last4: must be the last four digits of its number in the vault';
  }),
  reference(vault, 'id', ({ id }) => id, cards),
  rowRule(cardholders, ({ id, hasCard }, state) =>
    hasCard === state.table(cards).group('cardholder', id).length > 0
      ? null
      : `hasCard: must be ${!hasCard}, to match the cards`,
  ),
  reference(
    usageRecords,
    'referenceId',
    ({ type, referenceId }) => (type === 'card_issuance' ? referenceId : null),
    cards,
  ),
  reference(
    usageRecords,
    'referenceId',
    ({ type, referenceId }) => (type === 'kyc_verification' ? referenceId : null),
    cardholders,
  ),
];
