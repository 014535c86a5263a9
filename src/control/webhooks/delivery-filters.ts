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

/**
 * Returns a list with the deliveries that meet all conditions, in the order of creation. With a condition on the record,
 * the list also has the record's other deliveries, which are few.
 */
export function candidates(
  state: WorldState,
  { eventType, status, resourceId, partnerId }: DeliveryFilters,
): RowList<DeliveryRow> {
  const table = state.table(deliveries);
  if (resourceId !== undefined) return table.group('resource', resourceId);
  if (partnerId === undefined) {
    if (eventType === undefined)
      return status === undefined ? table.group('all', '') : table.group('status', status);
    return status === undefined
      ? table.group('type', eventType)
      : table.group('typeStatus', `${eventType} ${status}`);
  }
  if (eventType === undefined) {
    return status === undefined
      ? table.ofPartner(partnerId)
      : table.group('partnerStatus', `${partnerId} ${status}`);
  }
  return status === undefined
    ? table.group('partnerType', `${partnerId} ${eventType}`)
    : table.group('partnerTypeStatus', `${partnerId} ${eventType} ${status}`);
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
