import type { Write } from '../store/table-definition.ts';

/** The event types, which webhooks add by module augmentation (`src/service/webhooks/event-types.ts`). */
/* biome-ignore lint/suspicious/noEmptyInterface: webhooks fill it; core does not import resources. */
export interface EventTypes {}

/** A change of a record. `data` is the record as its read operation returned it at that moment. */
export interface DomainEvent {
  readonly id: string;
  readonly type: keyof EventTypes;
  readonly partnerId: string;
  readonly resourceId: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** The records that one request wrote and the events that it emitted, in order, and what its response waits for. */
export interface Trace {
  readonly changes: Write[];
  readonly events: DomainEvent[];
  /** Missing until there is one. */
  sendAfter?: Promise<void>[];
}
