import * as z from 'zod';
import { assumed, assumedField, cause, documented, unknownRecord } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { idFilterHints } from '../../core/request/filter-hints.ts';
import { pageOf, paginate, pagingQuery } from '../../core/store/paging.ts';
import { cardholders } from '../cardholders/records.ts';
import { programs } from '../programs/records.ts';
import { type CardRow, cards, viewCard } from './records.ts';
import { type CardTransition, changeCardStatus, ISSUE_CAUSES, issueCard } from './rules.ts';
import { CARD_STATUSES, Card, IssueCardBody } from './schema.ts';

const listCards = operation({
  id: 'cards.list',
  plane: 'partner',
  method: 'GET',
  path: '/partner/cards',
  summary: 'List cards',
  fidelity: documented('4.4'),
  query: z.object({
    ...pagingQuery,
    status: z.enum(CARD_STATUSES).optional().meta(assumedField('card-status-parameter')),
    cardholderId: z
      .string()
      .optional()
      .describe('Id of a cardholder.')
      .meta(assumedField('cardholder-parameter')),
  }),
  responses: { 200: pageOf(Card) },
  hints: ({ query }, caller) => idFilterHints(caller, 'cardholderId', query.cardholderId, cardholders),
  run({ state, partner, query }) {
    const { status, cardholderId } = query;
    const table = state.table(cards);
    const view = (row: CardRow) => viewCard(state, row);
    if (cardholderId !== undefined) {
      const matches = (row: CardRow) =>
        row.partnerId === partner.id && (status === undefined || row.status === status);
      return reply(200, paginate(state, table.group('cardholder', cardholderId), query, view, matches));
    }
    const list =
      status === undefined ? table.ofPartner(partner.id) : table.group('status', `${partner.id} ${status}`);
    return reply(200, paginate(state, list, query, view));
  },
});

const issue = operation({
  id: 'cards.issue',
  plane: 'partner',
  method: 'POST',
  path: '/partner/cards',
  summary: 'Issue a card',
  fidelity: assumed('card-issuance'),
  body: IssueCardBody,
  responses: { 201: Card },
  errors: [{ status: 404, when: 'The cardholder or the card program is unknown.' }],
  causes: [unknownRecord(cardholders.kind), unknownRecord(programs.kind), ...ISSUE_CAUSES],
  run({ state, partner, body }) {
    const cardholder = state.table(cardholders).getOwn(partner.id, body.cardholderId);
    const program = state.table(programs).getOwn(partner.id, body.cardProgramId);
    return reply(201, viewCard(state, issueCard(state, cardholder, program, body)));
  },
});

const getCard = operation({
  id: 'cards.get',
  plane: 'partner',
  method: 'GET',
  path: '/partner/cards/{id}',
  summary: 'Get a card',
  fidelity: assumed('card-moves'),
  responses: { 200: Card },
  causes: [unknownRecord(cards.kind)],
  run: ({ state, partner, params }) =>
    reply(200, viewCard(state, state.table(cards).getOwn(partner.id, params.id))),
});

/** Returns the operation of a transition: `POST /partner/cards/{id}/<transition>`. */
function transitionOperation(transition: CardTransition, summary: string) {
  return operation({
    id: `cards.${transition}`,
    plane: 'partner',
    method: 'POST',
    path: `/partner/cards/{id}/${transition}`,
    summary,
    fidelity: assumed('card-moves'),
    responses: { 200: Card },
    causes: [unknownRecord(cards.kind), cause(400, assumed('card-moves'))],
    run({ state, partner, params }) {
      const row = state.table(cards).getOwn(partner.id, params.id);
      return reply(200, viewCard(state, changeCardStatus(state, row, transition)));
    },
  });
}

/** Operations on cards: the documented one, then the assumed. */
export const cardOperations = [
  listCards,
  issue,
  getCard,
  transitionOperation('activate', 'Activate a card'),
  transitionOperation('freeze', 'Freeze a card'),
  transitionOperation('unfreeze', 'Unfreeze a card'),
  transitionOperation('cancel', 'Cancel a card for good'),
];
