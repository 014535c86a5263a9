import * as z from 'zod';
import { assumed } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { PositiveAmount } from '../../core/values/money.ts';
import { cards } from '../../service/cards/records.ts';
import { authorize, increment, reverse, settle } from '../../service/network/rules.ts';
import { transactions, viewDeclineDetail, viewTransaction } from '../../service/transactions/records.ts';
import { AuthorizeBody, IncrementResult, Transaction } from '../../service/transactions/schema.ts';

const authorizeTransaction = operation({
  id: 'transactions.authorize',
  plane: 'control',
  method: 'POST',
  path: '/transactions',
  summary: 'Use a card, as its cardholder would: authorize or decline an amount',
  fidelity: assumed('decline-reasons'),
  body: AuthorizeBody,
  responses: { 201: Transaction },
  errors: [{ status: 404, when: 'The card is unknown.' }],
  run({ state, body }) {
    const { cardId, ...details } = body;
    return reply(201, viewTransaction(authorize(state, state.table(cards).existing(cardId), details)));
  },
});

const settleTransaction = operation({
  id: 'transactions.settle',
  plane: 'control',
  method: 'POST',
  path: '/transactions/{id}/settle',
  summary: 'Settle an authorized transaction, in full, in part or, with force, for more',
  fidelity: assumed('over-settlement'),
  body: z.object({
    amount: PositiveAmount.optional().describe(
      'At most the authorized amount, unless forced. Default: the authorized amount.',
    ),
    force: z
      .boolean()
      .optional()
      .describe('Whether the amount can exceed the authorized one, whatever the limits and the balance.'),
  }),
  responses: { 200: Transaction },
  run({ state, params, body }) {
    const row = state.table(transactions).existing(params.id);
    return reply(200, viewTransaction(settle(state, row, body)));
  },
});

const reverseTransaction = operation({
  id: 'transactions.reverse',
  plane: 'control',
  method: 'POST',
  path: '/transactions/{id}/reverse',
  summary: 'Reverse an authorized transaction, in full or in part',
  fidelity: assumed('partial-reversals'),
  body: z.object({
    amount: PositiveAmount.optional().describe(
      'A part of the authorized amount; the rest stays authorized. Default: the authorized amount.',
    ),
  }),
  responses: { 200: Transaction },
  run({ state, params, body }) {
    const row = state.table(transactions).existing(params.id);
    return reply(200, viewTransaction(reverse(state, row, body.amount)));
  },
});

const incrementTransaction = operation({
  id: 'transactions.increment',
  plane: 'control',
  method: 'POST',
  path: '/transactions/{id}/increment',
  summary: 'Add to the amount of an authorized transaction, as a hotel or a fuel pump would',
  fidelity: assumed('increments'),
  body: z.object({ amount: PositiveAmount.describe('What is added to the authorized amount.') }),
  responses: { 200: IncrementResult },
  run({ state, params, body }) {
    const result = increment(state, state.table(transactions).existing(params.id), body.amount);
    if ('id' in result) return reply(200, { approved: true as const, ...viewTransaction(result) });
    const { reason: declineReason, detail } = result;
    return reply(200, { approved: false as const, declineReason, declineDetail: viewDeclineDetail(detail) });
  },
});

export const transactionControlOperations = [
  authorizeTransaction,
  incrementTransaction,
  settleTransaction,
  reverseTransaction,
];
