import { assumed, cause, documented, unknownRecord } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { cards } from '../cards/records.ts';
import { createLink } from './rules.ts';
import { RevealBody, RevealLink } from './schema.ts';

const revealCard = operation({
  id: 'cards.reveal',
  plane: 'partner',
  method: 'POST',
  path: '/partner/cards/{id}/reveal-html',
  summary: 'Get a URL that shows a card once, for an iframe',
  fidelity: documented('4.3'),
  body: RevealBody,
  responses: { 200: RevealLink },
  causes: [unknownRecord(cards.kind), cause(400, assumed('reveal'))],
  run({ state, partner, linkOrigin, params, body }) {
    const card = state.table(cards).getOwn(partner.id, params.id);
    return reply(200, { accessUrl: linkOrigin() + createLink(state, card, body) });
  },
});

export const revealOperations = [revealCard];
