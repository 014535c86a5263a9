import type { DeliveryLogEntry } from '../../sandbox/delivery-log-entry.ts';
import type { RequestLogEntry } from '../../sandbox/request-log-entry.ts';

/** Takes note of what happens in a sandbox. */
export interface RunNotes {
  /** Adds a request. `isAffected` says whether the misbehaviour affected it. */
  addRequest(entry: RequestLogEntry, isAffected: boolean): void;
  /** Adds a webhook attempt. `isAffected` says whether the misbehaviour affected it. */
  addDelivery(entry: DeliveryLogEntry, isAffected: boolean): void;
  /** Notes that the clock was frozen. */
  addFreeze(): void;
  /** Notes that the tests chose the start of the clock. */
  addOwnClock(): void;
}

/** A note as a line of a file: the method of `RunNotes`, and its arguments. */
export type Note =
  | readonly ['addRequest', ...Parameters<RunNotes['addRequest']>]
  | readonly ['addDelivery', ...Parameters<RunNotes['addDelivery']>]
  | readonly ['addFreeze']
  | readonly ['addOwnClock'];
