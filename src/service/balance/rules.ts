import { partners } from '../../core/access/partners.ts';
import type { DomainEvent } from '../../core/journal/events.ts';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import { type Hundredths, MAX_AMOUNT, toAmount } from '../../core/values/money.ts';
import { cancel, defineTask, schedule } from '../../core/world/task-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type BalanceRow, balances, viewBalance } from './records.ts';

/** The daily check of a low balance, at 00:00 UTC, which emits `balance.low`. */
export const lowCheck = defineTask({
  kind: 'balance.checkLow',
  table: partners,
  waits: ({ id }, state) => isLow(state, id),
  run(state, partnerId) {
    emitBalanceEvent(state, 'balance.low', state.table(balances).existing(partnerId));
    scheduleLowCheck(state, partnerId);
  },
});

/** The available balance of a partner whose fixture sets none, in hundredths. */
const OPENING_BALANCE: Hundredths = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Opens the balance of a new partner. The partner must be stored already. */
export function openBalance(
  state: WorldState,
  partnerId: string,
  available: Hundredths = OPENING_BALANCE,
): void {
  const updatedAt = state.clock.timestamp();
  state.table(balances).insert({ id: partnerId, partnerId, available, held: 0, updatedAt });
  scheduleLowCheck(state, partnerId);
}

/** Adds `available` and `held` (each may be negative) to a balance. Does not check the result or emit events. */
export function moveMoney(
  state: WorldState,
  partnerId: string,
  change: { readonly available: Hundredths; readonly held: Hundredths },
): { readonly before: BalanceRow; readonly after: BalanceRow } {
  const table = state.table(balances);
  const before = table.existing(partnerId);
  const after = table.update(partnerId, {
    available: before.available + change.available,
    held: before.held + change.held,
    updatedAt: state.clock.timestamp(),
  });
  scheduleLowCheck(state, partnerId);
  return { before, after };
}

/** Emits `balance.alert` when a change took `available` from the alert threshold or above to below it. */
export function emitBalanceAlert(
  state: WorldState,
  { before, after }: { readonly before: BalanceRow; readonly after: BalanceRow },
): void {
  const { alertThreshold } = state.table(partners).existing(after.partnerId).settings;
  if (before.available >= alertThreshold && after.available < alertThreshold) {
    emitBalanceEvent(state, 'balance.alert', after);
  }
}

/** Tops up a balance. Throws a 400 when the balance would exceed the largest amount. */
export function topUp(state: WorldState, partnerId: string, amount: Hundredths): BalanceRow {
  const { available, held } = state.table(balances).existing(partnerId);
  const room = MAX_AMOUNT * 100 - available - held;
  if (amount > room) {
    const message = `body.amount: a balance is at most ${MAX_AMOUNT}; it can take another ${toAmount(room)}`;
    throw badRequest(assumed('balance'), message);
  }
  const { after } = moveMoney(state, partnerId, { available: amount, held: 0 });
  emitBalanceEvent(state, 'balance.top_up', after);
  return after;
}

/**
 * Schedules the next daily check of a low balance, and cancels it for any other. Call it whenever the balance or
 * its threshold has changed. A balance that is not low costs a clock advance nothing.
 */
export function scheduleLowCheck(state: WorldState, partnerId: string): void {
  const nextMidnight = (Math.floor(state.clock.now() / DAY_MS) + 1) * DAY_MS;
  if (isLow(state, partnerId)) schedule(state, lowCheck, partnerId, nextMidnight);
  else cancel(state, lowCheck, partnerId);
}

/** Reschedules the daily checks of all partners. Call it when the clock may have been set back: the next midnight is another. */
export function scheduleLowChecks(state: WorldState): void {
  for (const { id } of state.table(partners).all()) scheduleLowCheck(state, id);
}

/** Whether a partner's available balance is below its threshold for low balances. */
function isLow(state: WorldState, partnerId: string): boolean {
  const { lowThreshold } = state.table(partners).existing(partnerId).settings;
  return state.table(balances).existing(partnerId).available < lowThreshold;
}

function emitBalanceEvent(state: WorldState, type: DomainEvent['type'], row: BalanceRow): void {
  state.emit(type, row, viewBalance(state, row));
}
