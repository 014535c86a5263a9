import type { Row, Write } from '../store/table-definition.ts';
import type { Clock } from '../time/clock.ts';
import type { Random } from '../values/random.ts';

/** The event types, which webhooks add by module augmentation (`src/service/webhooks/event-types.ts`). */
/* biome-ignore lint/suspicious/noEmptyInterface: webhooks fill it; the kernel does not import resources. */
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

/** The events of one world. */
export class Events {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #onEvent: (event: DomainEvent) => void;

  constructor(clock: Clock, random: Random, onEvent: (event: DomainEvent) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#onEvent = onEvent;
  }

  /**
   * Publishes an event and returns it: to the trace of the request, to the feed, and then to `onEvent` of the world's
   * environment, which creates the webhook delivery (`recordDelivery` in `src/service/webhooks/sending.ts`).
   * Call it after the last write that it reports.
   */
  emit(type: DomainEvent['type'], { id: resourceId, partnerId }: Row, data: unknown): DomainEvent {
    const id = this.#random.id('evt');
    const createdAt = this.#clock.timestamp();
    const event = Object.freeze({ id, type, partnerId, resourceId, createdAt, data });
    this.#onEvent(event);
    return event;
  }
}

/** The records that one request wrote and the events that it emitted, in order, and what its response waits for. */
export interface Trace {
  readonly changes: Write[];
  readonly events: DomainEvent[];
  /** Missing until there is one. */
  sendAfter?: Promise<void>[];
}
