import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/** Something that happened to a record. `data` is the record as its read operation answered at that moment. */
export interface DomainEvent {
  readonly id: string;
  readonly type: string;
  readonly partnerId: string;
  readonly resourceId: string;
  readonly createdAt: string;
  readonly data: unknown;
}

/** How many events the log keeps; older ones leave it. */
const KEPT_EVENTS = 10_000;

/** The log of what happened, in order. Deliveries hang on it: whoever subscribes hears of each event once. */
export class EventLog {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #events: DomainEvent[] = [];
  readonly #listeners: ((event: DomainEvent) => void)[] = [];

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Has `listener` called with every event from now on, after the state it reports can be read. */
  subscribe(listener: (event: DomainEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Appends an event and tells the listeners. Call it after the last write that it reports. */
  emit(event: Omit<DomainEvent, 'id' | 'createdAt'>): DomainEvent {
    const entry = Object.freeze({
      ...event,
      id: this.#random.id('evt'),
      createdAt: this.#clock.timestamp(),
    });
    this.#events.push(entry);
    // Twice the size before a cut, so that the cost of cutting spreads over many events.
    if (this.#events.length > 2 * KEPT_EVENTS) this.#events.splice(0, KEPT_EVENTS);
    for (const listener of this.#listeners) listener(entry);
    return entry;
  }
}
