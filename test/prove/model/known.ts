import type { Json } from '../../support/sandbox.ts';
import { newCard, newPerson, openingState, PARTNERS, type State } from './state.ts';

const numberOf = (partnerId: string) => PARTNERS.findIndex(({ id }) => id === partnerId);

/** The ids that a state document knows, in the shape of the model's state, so that actions can be about them. */
export function knownFrom({ tables }: Json): State {
  return {
    ...openingState(),
    people: tables.cardholders.map(({ id, partnerId, externalUserId, email, kycSource, outcome }: Json) => {
      const [partner, who] = [numberOf(partnerId), Number(externalUserId.split('_')[1])];
      return newPerson({ id, partner, who, email, source: kycSource, outcome });
    }),
    cards: tables.cards.map(({ id, partnerId, cardholderId }: Json) =>
      newCard({ id, partner: numberOf(partnerId), holder: cardholderId }, false),
    ),
    payments: tables.transactions.map(({ id, partnerId, cardId, amount, type, status }: Json) => ({
      ...{ id, card: cardId, partner: numberOf(partnerId), type, amount, status },
      ...{ counted: 0, at: 0 },
    })),
  };
}
