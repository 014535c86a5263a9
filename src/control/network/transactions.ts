import * as z from 'zod';
import { assumed } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { cards } from '../../resources/cards/records.ts';
import { transactions, viewTransaction } from '../../resources/transactions/records.ts';
import { authorize, reverse, settle } from '../../resources/transactions/rules.ts';
import { AuthorizeBody, Transaction } from '../../resources/transactions/schema.ts';
import { PositiveAmount } from '../../values/money.ts';

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
  run({ world, body }) {
    const { cardId, ...details } = body;
    return reply(201, viewTransaction(authorize(world, world.table(cards).existing(cardId), details)));
  },
});

const settleTransaction = operation({
  id: 'transactions.settle',
  plane: 'control',
  method: 'POST',
  path: '/transactions/{id}/settle',
  summary: 'Settle an authorized transaction, in full or in part',
  fidelity: assumed('transaction-moves'),
  body: z.object({
    amount: PositiveAmount.optional().describe(
      'At most the authorized amount. Default: the authorized amount.',
    ),
  }),
  responses: { 200: Transaction },
  run({ world, params, body }) {
    const row = world.table(transactions).existing(params.id);
    return reply(200, viewTransaction(settle(world, row, body.amount)));
  },
});

const reverseTransaction = operation({
  id: 'transactions.reverse',
  plane: 'control',
  method: 'POST',
  path: '/transactions/{id}/reverse',
  summary: 'Reverse an authorized transaction',
  fidelity: assumed('transaction-moves'),
  responses: { 200: Transaction },
  run: ({ world, params }) =>
    reply(200, viewTransaction(reverse(world, world.table(transactions).existing(params.id)))),
});

/** Operations of the simulated card network. */
export const transactionControlOperations = [authorizeTransaction, settleTransaction, reverseTransaction];
