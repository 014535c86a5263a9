import type * as z from 'zod';
import { assumed, badRequest } from '../../kernel/operation/errors.ts';
import type { World } from '../../kernel/world/world.ts';
import { type Hundredths, toAmount } from '../../values/money.ts';
import { alertIfCrossed, moveMoney } from '../balance/rules.ts';
import { type CardRow, cards } from '../cards/records.ts';
import { countSpending } from '../cards/spending.ts';
import { programs } from '../programs/records.ts';
import { recordUsage } from '../usage/records.ts';
import { findDecline, forcedDecline } from './declines.ts';
import { merchantFor } from './merchants.ts';
import { SPEND_KIND, spentAmount, type TransactionRow, transactions, viewTransaction } from './records.ts';
import type { AuthorizeBody, PartialMerchant } from './schema.ts';

/**
 * Uses a card. An authorization holds the amount and counts it as spent. A decline changes nothing but the list
 * of transactions.
 */
export function authorize(
  world: World,
  card: CardRow,
  { amount, type, merchant, declineReason }: Omit<z.output<typeof AuthorizeBody>, 'cardId'>,
): TransactionRow {
  const request = { card, type, amount };
  const decline =
    declineReason === undefined ? findDecline(world, request) : forcedDecline(world, request, declineReason);
  const row = addTransaction(world, card, {
    type,
    amount,
    merchant,
    status: decline === null ? 'authorized' : 'declined',
    declineReason: decline?.reason ?? null,
    declineDetail: decline?.detail ?? null,
    createdAt: world.clock.timestamp(),
  });
  if (decline !== null) {
    emitTransaction(world, row);
    return row;
  }
  recordUsage(world, world.table(programs).existing(card.programId), 'transaction_processing', row.id);
  const moved = moveMoney(world, row.partnerId, { available: -amount, held: amount });
  emitTransaction(world, row);
  alertIfCrossed(world, moved);
  return row;
}

/** The details of a new transaction; what is left out follows from the card. */
type TransactionDetails = Pick<TransactionRow, 'type' | 'status' | 'amount' | 'createdAt'> &
  Partial<Pick<TransactionRow, 'id' | 'settledAmount' | 'declineReason' | 'declineDetail'>> & {
    readonly merchant?: z.output<typeof PartialMerchant> | undefined;
  };

/** Inserts a transaction and counts it in the card's windows. Does not check limits, move money or emit events. */
export function addTransaction(world: World, card: CardRow, details: TransactionDetails): TransactionRow {
  const { type, status, amount, createdAt } = details;
  const row = world.table(transactions).insert({
    id: details.id ?? world.random.id('txn'),
    partnerId: card.partnerId,
    cardId: card.id,
    cardholderId: card.cardholderId,
    type,
    status,
    amount,
    settledAmount: details.settledAmount ?? null,
    currency: world.table(programs).existing(card.programId).currency,
    merchant: merchantFor(world, type, details.merchant),
    declineReason: details.declineReason ?? null,
    declineDetail: details.declineDetail ?? null,
    createdAt,
    updatedAt: createdAt,
  });
  countSpending(world, card, { kind: SPEND_KIND[type], time: createdAt, amount: spentAmount(row) });
  return row;
}

/**
 * Settles an authorization in full or in part, and releases the rest. Throws a 400 for a transaction in another
 * state and for more than was authorized.
 */
export function settle(world: World, row: TransactionRow, amount: Hundredths = row.amount): TransactionRow {
  checkAuthorized(row, 'settled');
  if (amount > row.amount) {
    const message = `body.amount: transaction ${row.id} is authorized for ${toAmount(row.amount)}; it cannot be settled for more`;
    throw badRequest(assumed('transaction-moves'), message);
  }
  return closeAuthorization(world, row, { status: 'settled', settledAmount: amount });
}

/** Reverses an authorization and releases all of it. Throws a 400 for a transaction in another state. */
export function reverse(world: World, row: TransactionRow): TransactionRow {
  checkAuthorized(row, 'reversed');
  return closeAuthorization(world, row, { status: 'reversed', settledAmount: null });
}

function checkAuthorized({ id, status }: TransactionRow, participle: string): void {
  if (status === 'authorized') return;
  const message = `transaction ${id} is ${status}, which is final; only an authorized one can be ${participle}`;
  throw badRequest(assumed('transaction-moves'), message);
}

/** Releases what is not settled, in the balance and in the windows that the authorization counts in. */
function closeAuthorization(
  world: World,
  before: TransactionRow,
  change: Pick<TransactionRow, 'status' | 'settledAmount'>,
): TransactionRow {
  const row = world.table(transactions).update(before.id, { ...change, updatedAt: world.clock.timestamp() });
  const released = before.amount - spentAmount(row);
  countSpending(world, world.table(cards).existing(row.cardId), {
    kind: SPEND_KIND[row.type],
    time: row.createdAt,
    amount: -released,
  });
  moveMoney(world, row.partnerId, { available: released, held: -before.amount });
  emitTransaction(world, row);
  return row;
}

function emitTransaction(world: World, row: TransactionRow): void {
  world.events.emit({
    type: 'card.transaction',
    partnerId: row.partnerId,
    resourceId: row.id,
    data: viewTransaction(row),
  });
}
