import type { FenceOptions } from '../access/fence.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { Host, WorldRegistry } from '../operation/host.ts';
import type { Operation } from '../operation/operation.ts';
import type { Page } from '../page/page.ts';
import type { RealTime } from '../time/realtime.ts';
import type { NameTranslator } from './names.ts';
import type { Recorder } from './recorder.ts';

/** Options of `createDispatch` and of the planes. */
export interface DispatchOptions {
  readonly worlds: WorldRegistry;
  readonly operations: readonly Operation[];
  readonly pages: readonly Page[];
  readonly realTime: RealTime;
  /** Translates the neutral names on the wire; null for no translation. */
  readonly names: NameTranslator | null;
  /** Read on every call: the address is known only once the sandbox listens. */
  readonly fence: () => FenceOptions;
  /** Whether operations that rest on an assumption respond with 404. */
  readonly documentedOnly: boolean;
  /** Records what changes worlds from outside. */
  readonly recorder: Recorder;
  /** Called after every API request, with the world that handled it. */
  readonly onResponse: (entry: JournalEntry, host: Host) => void;
  /** Called for every internal error, with the operation in which it occurred. */
  readonly onBug: (error: unknown, operation: string) => void;
}
