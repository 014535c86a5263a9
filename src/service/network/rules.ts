import type * as z from 'zod';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { type Hundredths, MAX_AMOUNT, toAmount } from '../../core/values/money.ts';
import { END_OF_TIME, isoTime, timeOf } from '../../core/values/timestamp.ts';
import { cancel, defineTask, schedule } from '../../core/world/task-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { balances } from '../balance/records.ts';
import { emitBalanceAlert, moveMoney } from '../balance/rules.ts';
import { type CardRow, cards } from '../cards/records.ts';
import { countSpending } from '../cards/spending.ts';
import { type ProgramRow, programs } from '../programs/records.ts';
import { authorizationTtl } from '../programs/rules.ts';
import { merchantFor } from '../transactions/merchants.ts';
import {
  heldAmount,
  SPEND_KIND,
  spentAmount,
  type TransactionRow,
  transactions,
  viewTransaction,
} from '../transactions/records.ts';
import type { AuthorizeBody, PartialMerchant } from '../transactions/schema.ts';
import { recordUsage } from '../usage/records.ts';
import { type Decline, findDecline, forceDecline } from './declines.ts';

/** The expiry of an authorization, which reverses it. */
export const expiry = defineTask({
  kind: 'transaction.expire',
  table: transactions,
  waits: ({ status, expiresAt }) => status === 'authorized' && expiresAt !== undefined,
  run(state, transactionId) {
    const row = state.table(transactions).existing(transactionId);
    changeAuthorization(state, row, { status: 'reversed', reversalReason: 'expired' });
  },
});

type AuthorizationDetails = Omit<z.output<typeof AuthorizeBody>, 'cardId'>;

/** A decline changes nothing but the list of transactions. */
export function authorize(state: WorldState, card: CardRow, details: AuthorizationDetails): TransactionRow {
  const { row, moved } = addAuthorization(state, card, details);
  state.emit('card.transaction', row, viewTransaction(row));
  if (moved !== null) emitBalanceAlert(state, moved);
  return row;
}

/** Authorizes or declines an amount, without events. Returns how the balance moved too; null for a decline. */
export function addAuthorization(
  state: WorldState,
  card: CardRow,
  { amount, type, merchant, declineReason }: AuthorizationDetails,
): { row: TransactionRow; moved: ReturnType<typeof moveMoney> | null } {
  const time = state.clock.timestamp();
  const request = { card, type, amount, time, authorized: 0 };
  const decline =
    declineReason === undefined ? findDecline(state, request) : forceDecline(state, request, declineReason);
  const row = addTransaction(state, card, {
    type,
    amount,
    merchant,
    status: decline === null ? 'authorized' : 'declined',
    declineReason: decline?.reason ?? null,
    declineDetail: decline?.detail ?? null,
    createdAt: time,
  });
  if (decline !== null) return { row, moved: null };
  recordUsage(state, state.table(programs).existing(card.programId), 'transaction_processing', row.id);
  return { row, moved: moveMoney(state, row.partnerId, { available: -amount, held: amount }) };
}

/** The details of a new transaction; what is left out follows from the card. */
type TransactionDetails = Pick<TransactionRow, 'type' | 'status' | 'amount' | 'createdAt'> &
  Partial<Pick<TransactionRow, 'id' | 'settledAmount' | 'declineReason' | 'declineDetail'>> & {
    readonly merchant?: z.output<typeof PartialMerchant> | undefined;
  };

/** Inserts a transaction, counts it in the card's windows and schedules its expiry. Does not check limits, move money or emit events. */
export function addTransaction(
  state: WorldState,
  card: CardRow,
  details: TransactionDetails,
): TransactionRow {
  const { type, status, amount, createdAt } = details;
  const program = state.table(programs).existing(card.programId);
  const expiresAt = status === 'authorized' ? expiryOf(state, program, createdAt) : null;
  const row = state.table(transactions).insert({
    id: details.id ?? state.random.id('txn'),
    partnerId: card.partnerId,
    cardId: card.id,
    cardholderId: card.cardholderId,
    type,
    status,
    amount,
    settledAmount: details.settledAmount ?? null,
    currency: program.currency,
    merchant: merchantFor(state, type, details.merchant),
    declineReason: details.declineReason ?? null,
    declineDetail: details.declineDetail ?? null,
    ...(expiresAt !== null && { expiresAt }),
    createdAt,
    updatedAt: createdAt,
  });
  if (expiresAt !== null) schedule(state, expiry, row.id, timeOf(expiresAt));
  countSpending(state, card, { kind: SPEND_KIND[type], time: createdAt, amount: spentAmount(row) });
  return row;
}

/**
 * Returns when an authorization expires, or null if it never does. One that is older than that already, which only a
 * fixture has, gets the time from now.
 */
function expiryOf(state: WorldState, program: ProgramRow, createdAt: string): string | null {
  const ttl = authorizationTtl(state, program);
  if (ttl === null) return null;
  const at = timeOf(createdAt) + ttl;
  const expiresAt = at <= state.clock.now() ? state.clock.now() + ttl : at;
  return expiresAt > END_OF_TIME ? null : isoTime(expiresAt);
}

/**
 * Settles an authorization in full or in part, and releases the rest. A forced settlement can exceed the authorized
 * amount, whatever the limits and the balance. Throws a 400 for a transaction in another state, and for more than was
 * authorized unless it is forced.
 */
export function settle(
  state: WorldState,
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
  checkOverdraft(state, row, amount - row.amount);
  return changeAuthorization(state, row, { status: 'settled', settledAmount: amount });
}

/**
 * Reverses an authorization in full or in part. A part that is not all of it stays authorized. Throws a 400 for a
 * transaction in another state and for more than is authorized.
 */
export function reverse(
  state: WorldState,
  row: TransactionRow,
  amount: Hundredths = row.amount,
): TransactionRow {
  checkAuthorized(row, 'reversed');
  if (amount > row.amount) {
    const message = `body.amount: transaction ${row.id} is authorized for ${toAmount(row.amount)}; no more can be reversed`;
    throw badRequest(assumed('partial-reversals'), message);
  }
  if (amount < row.amount) return changeAuthorization(state, row, { amount: row.amount - amount });
  return changeAuthorization(state, row, { status: 'reversed', reversalReason: 'merchant' });
}

/**
 * Adds an amount to an authorization, under the same checks as a new one. A decline changes nothing. Throws a 400 for a
 * transaction in another state.
 */
export function increment(
  state: WorldState,
  row: TransactionRow,
  amount: Hundredths,
): TransactionRow | Decline {
  checkAuthorized(row, 'incremented');
  const card = state.table(cards).existing(row.cardId);
  const { type, createdAt: time, amount: authorized } = row;
  const decline = findDecline(state, { card, type, amount, time, authorized });
  return decline ?? changeAuthorization(state, row, { amount: authorized + amount });
}

function checkAuthorized({ id, status }: TransactionRow, participle: string): void {
  if (status === 'authorized') return;
  const message = `transaction ${id} is ${status}, which is final; only an authorized one can be ${participle}`;
  throw badRequest(assumed('transaction-moves'), message);
}

/** Throws a 400 when paying `excess` would take the balance below the smallest amount. */
function checkOverdraft(state: WorldState, { partnerId }: TransactionRow, excess: Hundredths): void {
  const room = MAX_AMOUNT * 100 + state.table(balances).existing(partnerId).available;
  if (excess <= room) return;
  const message = `body.amount: a balance is at least -${MAX_AMOUNT}; the settlement can exceed the authorized amount by ${toAmount(room)}`;
  throw badRequest(assumed('over-settlement'), message);
}

/** Changes an authorization, and with it the balance and the windows that it counts in. */
function changeAuthorization(
  state: WorldState,
  before: TransactionRow,
  change: Partial<TransactionRow>,
): TransactionRow {
  const row = state.table(transactions).update(before.id, { ...change, updatedAt: state.clock.timestamp() });
  if (row.status !== 'authorized') cancel(state, expiry, row.id);
  const released = before.amount - spentAmount(row);
  countSpending(state, state.table(cards).existing(row.cardId), {
    kind: SPEND_KIND[row.type],
    time: row.createdAt,
    amount: -released,
  });
  const held = heldAmount(row) - before.amount;
  const moved = moveMoney(state, row.partnerId, { available: released, held });
  state.emit('card.transaction', row, viewTransaction(row));
  emitBalanceAlert(state, moved);
  return row;
}
