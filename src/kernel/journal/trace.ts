import type { Change } from '../store/table-definition.ts';
import type { DomainEvent } from './events.ts';

/** The records that one request wrote and the events that it emitted, in order. */
export interface Trace {
  readonly changes: Change[];
  readonly events: DomainEvent[];
}
