import * as z from 'zod';
import { assumed } from '../../kernel/operation/errors.ts';
import { operation, reply } from '../../kernel/operation/operation.ts';
import { pageOf, paginate, pagingQuery } from '../../kernel/store/paging.ts';
import { isWithin, periodQuery } from '../../kernel/values/timestamp.ts';
import { cards } from '../cards/records.ts';
import { type TransactionRow, transactions, viewTransaction } from './records.ts';
import { TRANSACTION_STATUSES, Transaction } from './schema.ts';

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
    cardId: z.string().optional(),
    status: z.enum(TRANSACTION_STATUSES).optional(),
  }),
  responses: { 200: pageOf(Transaction) },
  run({ world, partner, query }) {
    const { cardId, status, from, to } = query;
    const table = world.table(transactions);
    const ofCard = (id: string) =>
      world.table(cards).get(id)?.partnerId === partner.id ? table.group('card', id) : [];
    const ids = cardId === undefined ? table.ofPartner(partner.id) : ofCard(cardId);
    const filtered = [status, from, to].some(filter => filter !== undefined);
    const matches = (row: TransactionRow) =>
      (status === undefined || row.status === status) && isWithin(row.createdAt, query);
    return reply(200, paginate(table, ids, query, viewTransaction, filtered ? matches : undefined));
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
  run: ({ world, partner, params }) =>
    reply(200, viewTransaction(world.table(transactions).owned(partner.id, params.id))),
});

/** Operations on transactions. */
export const transactionOperations = [listTransactions, getTransaction];
