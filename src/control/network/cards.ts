import * as z from 'zod';
import { partnerOrFirst } from '../../core/access/partners.ts';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { cardholders } from '../../service/cardholders/records.ts';
import { cards, viewCardDetails } from '../../service/cards/records.ts';
import { changeCardLimits, changeCardStatus, issueCard } from '../../service/cards/rules.ts';
import { CardDetails, CardLimitsBody, IssueCardBody } from '../../service/cards/schema.ts';
import { programOrFirst } from '../../service/programs/rules.ts';

const IssueActiveCardBody = z.object({
  ...IssueCardBody.shape,
  cardProgramId: z.string().min(1).optional().describe("Default: the partner's first card program."),
  activate: z.boolean().default(true).describe('Activates the card; false leaves it in status created.'),
  partnerId: z.string().optional().describe("Default: the cardholder's partner."),
});

const issueActive = operation({
  id: 'cards.issueActive',
  plane: 'control',
  method: 'POST',
  path: '/cards/issue',
  summary: 'Issue a card to an approved cardholder and activate it',
  fidelity: assumed('shortcuts'),
  body: IssueActiveCardBody,
  responses: { 201: CardDetails },
  errors: [{ status: 404, when: 'The cardholder or the card program is unknown.' }],
  run({ state, body: { activate, partnerId, ...details } }) {
    const table = state.table(cardholders);
    const cardholder =
      partnerId === undefined
        ? table.existing(details.cardholderId)
        : table.getOwn(partnerOrFirst(state, partnerId).id, details.cardholderId);
    const program = programOrFirst(state, cardholder.partnerId, details.cardProgramId);
    const issued = issueCard(state, cardholder, program, details);
    const card =
      activate && issued.status === 'created' ? changeCardStatus(state, issued, 'activate') : issued;
    return reply(201, viewCardDetails(state, card));
  },
});

const setLimits = operation({
  id: 'cards.setLimits',
  plane: 'control',
  method: 'PATCH',
  path: '/cards/{id}/limits',
  summary: 'Change the limits of a card, as a program manager would',
  fidelity: assumed('shortcuts'),
  body: CardLimitsBody,
  responses: { 200: CardDetails },
  run({ state, params, body }) {
    const row = state.table(cards).existing(params.id);
    return reply(200, viewCardDetails(state, changeCardLimits(state, row, body)));
  },
});

export const cardControlOperations = [issueActive, setLimits];
