import { inHundredths } from '../../../core/values/schemas/amount-fields.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import type { EventType } from '../event-types.ts';
import { payloads } from './payloads.ts';

/** An event, as the body of its webhooks reports it. */
export interface ReportedEvent {
  readonly id: string;
  readonly eventType: EventType;
  readonly createdAt: string;
  readonly data: unknown;
}

/** Returns the body of the webhooks of an event: in the names, the unit and the envelope of the world. */
export function eventBody({ assumptions, names }: WorldState, { data, ...event }: ReportedEvent): string {
  const isMinor = assumptions['amount-unit'] === 'minor';
  const amounts = isMinor ? inHundredths(payloads[event.eventType].schema, data) : data;
  const sent = names?.toPartner(amounts) ?? amounts;
  return JSON.stringify(assumptions['webhook-envelope'] === 'data' ? sent : { ...event, data: sent });
}
