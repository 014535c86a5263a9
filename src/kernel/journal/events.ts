import type { Clock } from '../time/clock.ts';
import type { Random } from '../values/random.ts';

/** The event types, which the webhook schema adds by module augmentation (`src/resources/webhooks/schema.ts`). */
/* biome-ignore lint/suspicious/noEmptyInterface: the schema fills it; the kernel does not import resources. */
export interface EventTypes {}

/** Something that happened to a record. `data` is the record as its read operation answered at that moment. */
export interface DomainEvent {
  readonly id: string;
  readonly type: keyof EventTypes;
  readonly partnerId: string;
  readonly resourceId: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** Where what happens is told: whoever subscribes hears of each event once, in order. */
export class Events {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #listeners: ((event: DomainEvent) => void)[] = [];

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Has `listener` called with every event from now on, after the state it reports can be read. */
  subscribe(listener: (event: DomainEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Tells the listeners that something happened, and returns what they were told. Call it after the last write that it reports. */
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
