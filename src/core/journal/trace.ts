import type { Write } from '../store/table-definition.ts';
import type { DomainEvent } from './events.ts';

/** The records that one request wrote and the events that it emitted, in order, and what its response waits for. */
export interface Trace {
  readonly changes: Write[];
  readonly events: DomainEvent[];
  /** Missing until there is one. */
  holds?: Promise<void>[];
}
