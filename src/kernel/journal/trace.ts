import type { Change } from '../store/table-definition.ts';
import type { DomainEvent } from './events.ts';

/** What one piece of work did: the records it wrote and the events it raised, in order. */
export interface Trace {
  readonly changes: Change[];
  readonly events: DomainEvent[];
}
