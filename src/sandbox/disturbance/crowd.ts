import { addApprovedCardholder } from '../../control/people/identity.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { cardholders } from '../../service/cardholders/records.ts';
import { changeCardStatus, issueCard } from '../../service/cards/rules.ts';
import { programs } from '../../service/programs/records.ts';
import { programOrFirst } from '../../service/programs/rules.ts';
import type { PersonInCrowd } from './plan.ts';

/** Adds people with an active card each. Returns the ids of the new records; none for a partner without a card program. */
export function addCrowd(state: WorldState, partnerId: string, people: readonly PersonInCrowd[]): string[] {
  if (state.table(programs).ofPartner(partnerId).length === 0) return [];
  const program = programOrFirst(state, partnerId, undefined);
  return people.flatMap(identity => {
    const { id } = addApprovedCardholder(state, partnerId, program, identity);
    const cardholder = state.table(cardholders).existing(id);
    const card = issueCard(state, cardholder, program, {});
    if (card.status === 'created') changeCardStatus(state, card, 'activate');
    return [id, card.id];
  });
}
