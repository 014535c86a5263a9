import type * as z from 'zod';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { type Hundredths, MAX_AMOUNT, toAmount } from '../../core/values/money.ts';
import type { World } from '../../core/world/world.ts';
import { balances } from '../balance/records.ts';
import { alertIfCrossed, moveMoney } from '../balance/rules.ts';
import { type CardRow, cards } from '../cards/records.ts';
import { countSpending } from '../cards/spending.ts';
import { programs } from '../programs/records.ts';
import { recordUsage } from '../usage/records.ts';
import { type Decline, findDecline, forcedDecline } from './declines.ts';
import { cancelExpiry, expiryOf, scheduleExpiry } from './expiry.ts';
import { merchantFor } from './merchants.ts';
import {
  heldAmount,
  SPEND_KIND,
  spentAmount,
  type TransactionRow,
  transactions,
  viewTransaction,
} from './records.ts';
import type { AuthorizeBody, PartialMerchant } from './schema.ts';

/** What an authorization asks for, besides the card. */
type AuthorizationDetails = Omit<z.output<typeof AuthorizeBody>, 'cardId'>;

/**
 * Uses a card. An authorization holds the amount and counts it as spent. A decline changes nothing but the list
 * of transactions.
 */
export function authorize(world: World, card: CardRow, details: AuthorizationDetails): TransactionRow {
  const { row, moved } = addAuthorization(world, card, details);
  emitTransaction(world, row);
  if (moved !== null) alertIfCrossed(world, moved);
  return row;
}

/** Authorizes or declines an amount, without events. Returns how the balance moved too; null for a decline. */
export function addAuthorization(
  world: World,
  card: CardRow,
  { amount, type, merchant, declineReason }: AuthorizationDetails,
): { row: TransactionRow; moved: ReturnType<typeof moveMoney> | null } {
  const time = world.clock.timestamp();
  const request = { card, type, amount, time, authorized: 0 };
  const decline =
    declineReason === undefined ? findDecline(world, request) : forcedDecline(world, request, declineReason);
  const row = addTransaction(world, card, {
    type,
    amount,
    merchant,
    status: decline === null ? 'authorized' : 'declined',
    declineReason: decline?.reason ?? null,
    declineDetail: decline?.detail ?? null,
    createdAt: time,
  });
  if (decline !== null) return { row, moved: null };
  recordUsage(world, world.table(programs).existing(card.programId), 'transaction_processing', row.id);
  return { row, moved: moveMoney(world, row.partnerId, { available: -amount, held: amount }) };
}

/** The details of a new transaction; what is left out follows from the card. */
type TransactionDetails = Pick<TransactionRow, 'type' | 'status' | 'amount' | 'createdAt'> &
  Partial<Pick<TransactionRow, 'id' | 'settledAmount' | 'declineReason' | 'declineDetail'>> & {
    readonly merchant?: z.output<typeof PartialMerchant> | undefined;
  };

/** Inserts a transaction, counts it in the card's windows and schedules its expiry. Does not check limits, move money or emit events. */
export function addTransaction(world: World, card: CardRow, details: TransactionDetails): TransactionRow {
  const { type, status, amount, createdAt } = details;
  const program = world.table(programs).existing(card.programId);
  const expiresAt = status === 'authorized' ? expiryOf(world, program, createdAt) : null;
  const row = world.table(transactions).insert({
    id: details.id ?? world.random.id('txn'),
    partnerId: card.partnerId,
    cardId: card.id,
    cardholderId: card.cardholderId,
    type,
    status,
    amount,
    settledAmount: details.settledAmount ?? null,
    currency: program.currency,
    merchant: merchantFor(world, type, details.merchant),
    declineReason: details.declineReason ?? null,
    declineDetail: details.declineDetail ?? null,
    ...(expiresAt !== null && { expiresAt }),
    createdAt,
    updatedAt: createdAt,
  });
  scheduleExpiry(world, row);
  countSpending(world, card, { kind: SPEND_KIND[type], time: createdAt, amount: spentAmount(row) });
  return row;
}

/**
 * Settles an authorization in full or in part, and releases the rest. A forced settlement can exceed the authorized
 * amount, whatever the limits and the balance. Throws a 400 for a transaction in another state, and for more than was
 * authorized unless it is forced.
 */
export function settle(
  world: World,
  row: TransactionRow,
  {
    amount = row.amount,
    force = false,
  }: { amount?: Hundredths | undefined; force?: boolean | undefined } = {},
): TransactionRow {
  checkAuthorized(row, 'settled');
  if (amount > row.amount && !force) {
    const message = `body.amount: transaction ${row.id} is authorized for ${toAmount(row.amount)}; it cannot be settled for more without force`;
    throw badRequest(assumed('over-settlement'), message);
  }
  checkOverdraft(world, row, amount - row.amount);
  return changeAuthorization(world, row, { status: 'settled', settledAmount: amount });
}

/**
 * Reverses an authorization in full or in part. A part that is not all of it stays authorized. Throws a 400 for a
 * transaction in another state and for more than is authorized.
 */
export function reverse(world: World, row: TransactionRow, amount: Hundredths = row.amount): TransactionRow {
  checkAuthorized(row, 'reversed');
  if (amount > row.amount) {
    const message = `body.amount: transaction ${row.id} is authorized for ${toAmount(row.amount)}; no more can be reversed`;
    throw badRequest(assumed('partial-reversals'), message);
  }
  if (amount < row.amount) return changeAuthorization(world, row, { amount: row.amount - amount });
  return changeAuthorization(world, row, { status: 'reversed', reversalReason: 'merchant' });
}

/**
 * Adds an amount to an authorization, under the same checks as a new one. A decline changes nothing. Throws a 400 for a
 * transaction in another state.
 */
export function increment(world: World, row: TransactionRow, amount: Hundredths): TransactionRow | Decline {
  checkAuthorized(row, 'incremented');
  const card = world.table(cards).existing(row.cardId);
  const { type, createdAt: time, amount: authorized } = row;
  const decline = findDecline(world, { card, type, amount, time, authorized });
  return decline ?? changeAuthorization(world, row, { amount: authorized + amount });
}

/** Reverses an authorization that has expired. */
export function runExpiry(world: World, transactionId: string): void {
  const row = world.table(transactions).existing(transactionId);
  changeAuthorization(world, row, { status: 'reversed', reversalReason: 'expired' });
}

function checkAuthorized({ id, status }: TransactionRow, participle: string): void {
  if (status === 'authorized') return;
  const message = `transaction ${id} is ${status}, which is final; only an authorized one can be ${participle}`;
  throw badRequest(assumed('transaction-moves'), message);
}

/** Throws a 400 when paying `excess` would take the balance below the smallest amount. */
function checkOverdraft(world: World, { partnerId }: TransactionRow, excess: Hundredths): void {
  const room = MAX_AMOUNT * 100 + world.table(balances).existing(partnerId).available;
  if (excess <= room) return;
  const message = `body.amount: a balance is at least -${MAX_AMOUNT}; the settlement can exceed the authorized amount by ${toAmount(room)}`;
  throw badRequest(assumed('over-settlement'), message);
}

/** Changes an authorization, and with it the balance and the windows that it counts in. */
function changeAuthorization(
  world: World,
  before: TransactionRow,
  change: Partial<TransactionRow>,
): TransactionRow {
  const row = world.table(transactions).update(before.id, { ...change, updatedAt: world.clock.timestamp() });
  if (row.status !== 'authorized') cancelExpiry(world, row.id);
  const released = before.amount - spentAmount(row);
  countSpending(world, world.table(cards).existing(row.cardId), {
    kind: SPEND_KIND[row.type],
    time: row.createdAt,
    amount: -released,
  });
  const held = heldAmount(row) - before.amount;
  const moved = moveMoney(world, row.partnerId, { available: released, held });
  emitTransaction(world, row);
  alertIfCrossed(world, moved);
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
