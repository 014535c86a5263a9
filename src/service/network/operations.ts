import * as z from 'zod';
import { assumed, unknownRecord } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { idFilterHints } from '../../core/request/filter-hints.ts';
import { pageOf, paginate, pagingQuery } from '../../core/store/paging.ts';
import { periodQuery } from '../../core/values/timestamp.ts';
import { cards } from '../cards/records.ts';
import { type TransactionRow, transactions, viewTransaction } from '../transactions/records.ts';
import { TRANSACTION_STATUSES, Transaction } from '../transactions/schema.ts';

const listTransactions = operation({
  id: 'transactions.list',
  plane: 'partner',
  method: 'GET',
  path: '/partner/transactions',
  summary: 'List transactions',
  fidelity: assumed('transactions'),
  query: z.object({
    ...pagingQuery,
    ...periodQuery,
    cardId: z.string().optional().describe('Id of a card.'),
    status: z.enum(TRANSACTION_STATUSES).optional(),
  }),
  responses: { 200: pageOf(Transaction) },
  hints: ({ query }, caller) => idFilterHints(caller, 'cardId', query.cardId, cards),
  run({ state, partner, query }) {
    const { cardId, status } = query;
    const table = state.table(transactions);
    if (cardId !== undefined) {
      const matches = (row: TransactionRow) =>
        row.partnerId === partner.id && (status === undefined || row.status === status);
      return reply(
        200,
        paginate(state, table.group('card', cardId).within(query), query, viewTransaction, matches),
      );
    }
    const list =
      status === undefined ? table.ofPartner(partner.id) : table.group('status', `${partner.id} ${status}`);
    return reply(200, paginate(state, list.within(query), query, viewTransaction));
  },
});

const getTransaction = operation({
  id: 'transactions.get',
  plane: 'partner',
  method: 'GET',
  path: '/partner/transactions/{id}',
  summary: 'Get a transaction',
  fidelity: assumed('transactions'),
  responses: { 200: Transaction },
  causes: [unknownRecord(transactions.kind)],
  run: ({ state, partner, params }) =>
    reply(200, viewTransaction(state.table(transactions).getOwn(partner.id, params.id))),
});

export const transactionOperations = [listTransactions, getTransaction];
