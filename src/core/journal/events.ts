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

/** The events of one world. Each subscriber is called once per event, in order. */
export class Events {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #listeners: ((event: DomainEvent) => void)[] = [];

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Calls `listener` with every later event, once the state that it reports can be read. */
  subscribe(listener: (event: DomainEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Publishes an event and returns it. Call it after the last write that it reports. */
  emit({ type, partnerId, resourceId, data }: Omit<DomainEvent, 'id' | 'createdAt'>): DomainEvent {
    const id = this.#random.id('evt');
    const event = Object.freeze({
      id,
      type,
      partnerId,
      resourceId,
      createdAt: this.#clock.timestamp(),
      data,
    });
    for (const listener of this.#listeners) listener(event);
    return event;
  }
}
