import * as z from 'zod';
import type { RowList } from '../../core/store/persistent/row-list.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { EVENT_TYPES } from '../../service/webhooks/event-types.ts';
import { type DeliveryRow, deliveries } from '../../service/webhooks/records.ts';
import { DELIVERY_STATUSES } from '../../service/webhooks/schema.ts';

/** The members that select deliveries. An omitted one matches all. */
export const deliveryFilters = {
  eventType: z.enum(EVENT_TYPES).optional(),
  status: z.enum(DELIVERY_STATUSES).optional(),
  resourceId: z.string().optional().describe('Id of the record that the event is about.'),
  partnerId: z.string().optional().describe('Default: all partners.'),
} as const;

export type DeliveryFilters = { readonly [K in keyof typeof deliveryFilters]?: string | undefined };

const MEMBERS = Object.keys(deliveryFilters) as (keyof DeliveryFilters)[];

export function matches(row: DeliveryRow, filters: DeliveryFilters): boolean {
  return MEMBERS.every(member => filters[member] === undefined || row[member] === filters[member]);
}

/** Returns a list with the deliveries that meet all conditions, among others, in the order of creation. */
export function candidates(
  state: WorldState,
  { status, resourceId, partnerId }: DeliveryFilters,
): RowList<DeliveryRow> {
  const table = state.table(deliveries);
  if (resourceId !== undefined) return table.group('resource', resourceId);
  if (status !== undefined) return table.group('status', status);
  return partnerId === undefined ? table.group('all', '') : table.ofPartner(partnerId);
}

/** What differs, such as `status is failed, not delivered`, for each condition that a delivery does not meet. */
export function differences(row: DeliveryRow, filters: DeliveryFilters): string[] {
  return MEMBERS.filter(member => filters[member] !== undefined && row[member] !== filters[member]).map(
    member => `${member} is ${row[member]}${causeOf(row, member)}, not ${filters[member]}`,
  );
}

function causeOf({ cause }: DeliveryRow, member: keyof DeliveryFilters): string {
  return member === 'status' && cause !== null ? ` (${cause})` : '';
}
