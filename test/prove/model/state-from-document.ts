import type { Json } from '../../support/sandbox.ts';
import { newCard, newPerson, openingState, PARTNERS, type State } from './state.ts';

const numberOf = (partnerId: string) => PARTNERS.findIndex(({ id }) => id === partnerId);

/** The IDs in a state document as a model state, so that actions can refer to them. Sums and times are not set. */
export function stateFromDocument({ tables }: Json): State {
  return {
    ...openingState(),
    people: tables.cardholders.map(({ id, partnerId, externalUserId, email, kycSource, outcome }: Json) => {
      const [partner, user] = [numberOf(partnerId), Number(externalUserId.split('_')[1])];
      return newPerson({ id, partner, user, email, source: kycSource, outcome });
    }),
    cards: tables.cards.map(({ id, partnerId, cardholderId }: Json) =>
      newCard({ id, partner: numberOf(partnerId), holder: cardholderId }, false),
    ),
    payments: tables.transactions.map(({ id, partnerId, cardId, amount, type, status }: Json) => ({
      id,
      card: cardId,
      partner: numberOf(partnerId),
      type,
      amount,
      status,
      charged: 0,
      at: 0,
      reversal: null,
      expires: 0,
    })),
  };
}
