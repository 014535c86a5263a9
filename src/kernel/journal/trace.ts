import type { Change, Row } from '../store/table-definition.ts';
import type { DomainEvent } from './events.ts';

/** A write with the rows that it replaced and left. Rows are frozen, so that they are kept without a copy. */
export interface TracedChange extends Change {
  /** Null for a new record. */
  readonly before: Row | null;
  /** Null for a deleted record. */
  readonly after: Row | null;
}

/** The records that one request wrote and the events that it emitted, in order, and what its response waits for. */
export interface Trace {
  readonly changes: TracedChange[];
  readonly events: DomainEvent[];
  /** Missing until there is one. */
  holds?: Promise<void>[];
}
