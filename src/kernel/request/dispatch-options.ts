import type { FenceOptions } from '../access/fence.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { Host } from '../operation/host.ts';
import type { Operation } from '../operation/operation.ts';
import type { RealTime } from '../time/realtime.ts';
import type { Page } from './page.ts';

/** Options of `createDispatch` and of the planes. */
export interface DispatchOptions {
  readonly host: Host;
  readonly operations: readonly Operation[];
  readonly pages: readonly Page[];
  readonly realTime: RealTime;
  /** Read on every call: the address is known only once the sandbox listens. */
  readonly fence: () => FenceOptions;
  /** Whether operations that rest on an assumption respond with 404. */
  readonly documentedOnly: boolean;
  /** Called after every API request. */
  readonly onResponse: (entry: JournalEntry) => void;
  /** Called for every internal error, with the operation in which it occurred. */
  readonly onBug: (error: unknown, operation: string) => void;
}
