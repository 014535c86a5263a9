import * as z from 'zod';
import { type RowOf, rowSchema } from '../../core/store/row.ts';
import { defineTable } from '../../core/store/table-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { type DeliveryRow, deliveries } from './deliveries.ts';

/** The webhook faults that decide when a first attempt is made. */
export const HOLDING_KINDS = ['delay', 'reorder', 'before_answer'] as const;

/** A webhook fault that decides when a first attempt is made. */
export type HoldingKind = (typeof HOLDING_KINDS)[number];

const HeldDeliveryRow = rowSchema(() => ({
  fault: z.enum(HOLDING_KINDS),
  /** Whether a later delivery releases it: it waits to be overtaken, and its attempt has not started. */
  isOvertakable: z.boolean(),
}));

/** A delivery whose first attempt a fault holds back. Its id is the delivery's. */
export type HeldDeliveryRow = RowOf<typeof HeldDeliveryRow>;

/** The deliveries whose first attempt a fault holds back, in the order in which they were created. */
export const heldDeliveries = defineTable({
  kind: 'held-back delivery',
  row: HeldDeliveryRow,
  unique: {},
  groups: { overtakable: row => (row.isOvertakable ? row.partnerId : null) },
});

/** Holds the first attempt of a delivery back. */
export function holdBack(state: WorldState, { id, partnerId }: DeliveryRow, fault: HoldingKind): void {
  state.table(heldDeliveries).insert({ id, partnerId, fault, isOvertakable: fault === 'reorder' });
}

/** Whether an attempt that is due waits for a newer one of the partner that is held back, which releases it. */
export function mustWaitForNewer(state: WorldState, { id, partnerId }: DeliveryRow): boolean {
  const table = state.table(heldDeliveries);
  if (table.get(id)?.isOvertakable !== true) return false;
  return table.group('overtakable', partnerId).at(-1)?.id !== id;
}

/** Notes that an attempt starts, which nothing can overtake any more. Returns the fault that held it back, or null. */
export function startHeldBack(state: WorldState, { id }: DeliveryRow): HoldingKind | null {
  const held = state.table(heldDeliveries).get(id);
  if (held?.isOvertakable === true) state.table(heldDeliveries).update(id, { isOvertakable: false });
  return held?.fault ?? null;
}

/**
 * Notes that an attempt has ended. Returns the id of the partner's newest held-back delivery that it has overtaken, or
 * null. Only a later delivery overtakes, so that the result does not depend on how long an earlier one took.
 */
export function endHeldBack(state: WorldState, { id, partnerId }: DeliveryRow): string | null {
  const table = state.table(heldDeliveries);
  if (table.size === 0) return null;
  if (table.get(id) !== undefined) table.delete(id);
  const place = (delivery: string) => state.table(deliveries).sequenceOf(delivery) ?? 0;
  // They were created in the order of their deliveries.
  const overtaken = [...table.group('overtakable', partnerId)].findLast(other => place(other.id) < place(id));
  if (overtaken === undefined) return null;
  table.update(overtaken.id, { isOvertakable: false });
  return overtaken.id;
}
