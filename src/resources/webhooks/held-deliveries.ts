import * as z from 'zod';
import { type RowOf, rowSchema } from '../../kernel/store/row.ts';
import { defineTable } from '../../kernel/store/table-definition.ts';
import type { World } from '../../kernel/world/world.ts';
import { type DeliveryRow, deliveries } from './deliveries.ts';

/** The webhook faults that hold a first attempt back. */
export const HOLDING_KINDS = ['delay', 'reorder'] as const;

/** A webhook fault that holds a first attempt back. */
export type HoldingKind = (typeof HOLDING_KINDS)[number];

const HeldDeliveryRow = rowSchema({
  fault: z.enum(HOLDING_KINDS),
  /** Whether a later delivery releases it: it waits to be overtaken, and its attempt has not started. */
  isOvertakable: z.boolean(),
});

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
export function holdBack(world: World, { id, partnerId }: DeliveryRow, fault: HoldingKind): void {
  world.table(heldDeliveries).insert({ id, partnerId, fault, isOvertakable: fault === 'reorder' });
}

/** Notes that an attempt starts, which nothing can overtake any more. Returns the fault that held it back, or null. */
export function startHeldBack(world: World, { id }: DeliveryRow): HoldingKind | null {
  const held = world.table(heldDeliveries).get(id);
  if (held?.isOvertakable === true) world.table(heldDeliveries).update(id, { isOvertakable: false });
  return held?.fault ?? null;
}

/**
 * Notes that an attempt has ended. Returns the ids of the partner's held-back deliveries that it has overtaken, oldest
 * first. Only a later delivery overtakes, so that the result does not depend on how long an earlier one took.
 */
export function endHeldBack(world: World, { id, partnerId }: DeliveryRow): string[] {
  const table = world.table(heldDeliveries);
  if (table.size === 0) return [];
  if (table.get(id) !== undefined) table.delete(id);
  const place = (delivery: string) => world.table(deliveries).sequenceOf(delivery) ?? 0;
  const overtaken: string[] = [];
  // They were created in the order of their deliveries.
  for (const other of table.group('overtakable', partnerId)) {
    if (place(other.id) >= place(id)) break;
    overtaken.push(other.id);
  }
  for (const other of overtaken) table.update(other, { isOvertakable: false });
  return overtaken;
}
