import { partners } from '../../core/access/partners.ts';
import type { DomainEvent } from '../../core/journal/events.ts';
import { assumed, badRequest } from '../../core/operation/errors.ts';
import type { Task } from '../../core/time/task.ts';
import { type Hundredths, MAX_AMOUNT, toAmount } from '../../core/values/money.ts';
import type { World } from '../../core/world/world.ts';
import { type BalanceRow, balances, viewBalance } from './records.ts';

/** The task kind of the daily low-balance check; `ref` is the partner. */
export const LOW_CHECK = 'balance.checkLow';

/** The available balance of a partner whose fixture sets none, in hundredths. */
const OPENING_BALANCE: Hundredths = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Opens the balance of a new partner. The partner must be stored already. */
export function openBalance(world: World, partnerId: string, available: Hundredths = OPENING_BALANCE): void {
  const updatedAt = world.clock.timestamp();
  world.table(balances).insert({ id: partnerId, partnerId, available, held: 0, updatedAt });
  scheduleLowCheck(world, partnerId);
}

/** Adds `available` and `held` (each may be negative) to a balance. Does not check the result or emit events. */
export function moveMoney(
  world: World,
  partnerId: string,
  change: { readonly available: Hundredths; readonly held: Hundredths },
): { readonly before: BalanceRow; readonly after: BalanceRow } {
  const table = world.table(balances);
  const before = table.existing(partnerId);
  const after = table.update(partnerId, {
    available: before.available + change.available,
    held: before.held + change.held,
    updatedAt: world.clock.timestamp(),
  });
  scheduleLowCheck(world, partnerId);
  return { before, after };
}

/** Emits `balance.alert` when a change took `available` from the alert threshold or above to below it. */
export function alertIfCrossed(
  world: World,
  { before, after }: { readonly before: BalanceRow; readonly after: BalanceRow },
): void {
  const { alertThreshold } = world.table(partners).existing(after.partnerId).settings;
  if (before.available >= alertThreshold && after.available < alertThreshold) {
    emitBalanceEvent(world, 'balance.alert', after);
  }
}

/** Tops up a balance. Throws a 400 when the balance would exceed the largest amount. */
export function topUp(world: World, partnerId: string, amount: Hundredths): BalanceRow {
  const { available, held } = world.table(balances).existing(partnerId);
  const room = MAX_AMOUNT * 100 - available - held;
  if (amount > room) {
    const message = `body.amount: a balance is at most ${MAX_AMOUNT}; it can take another ${toAmount(room)}`;
    throw badRequest(assumed('balance'), message);
  }
  const { after } = moveMoney(world, partnerId, { available: amount, held: 0 });
  emitBalanceEvent(world, 'balance.top_up', after);
  return after;
}

/**
 * Schedules the next daily check of a low balance, and cancels it for any other. Call it whenever the balance or
 * its threshold has changed. A balance that is not low costs a clock advance nothing.
 */
export function scheduleLowCheck(world: World, partnerId: string): void {
  const task: Task = { kind: LOW_CHECK, ref: partnerId };
  const nextMidnight = (Math.floor(world.clock.now() / DAY_MS) + 1) * DAY_MS;
  if (isLow(world, partnerId)) world.clock.schedule(nextMidnight, task);
  else world.clock.cancel(task);
}

/** Runs the daily check, at 00:00 UTC: emits `balance.low` while the balance is low. */
export function runLowCheck(world: World, partnerId: string): void {
  if (isLow(world, partnerId))
    emitBalanceEvent(world, 'balance.low', world.table(balances).existing(partnerId));
  scheduleLowCheck(world, partnerId);
}

/** Whether a partner's available balance is below its threshold for low balances. */
export function isLow(world: World, partnerId: string): boolean {
  const { lowThreshold } = world.table(partners).existing(partnerId).settings;
  return world.table(balances).existing(partnerId).available < lowThreshold;
}

function emitBalanceEvent(world: World, type: DomainEvent['type'], row: BalanceRow): void {
  world.events.emit({
    type,
    partnerId: row.partnerId,
    resourceId: row.id,
    data: viewBalance(world, row),
  });
}
