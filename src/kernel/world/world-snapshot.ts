import { type JournalMark, REQUEST_IDS } from '../journal/journal.ts';
import type { AnyTable } from '../store/table-definition.ts';
import type { TableSnapshot } from '../store/table-snapshot.ts';
import type { ClockSnapshot } from '../time/clock.ts';
import type { StreamStates } from '../values/random.ts';
import type { SecretsState } from '../values/secrets.ts';

/** The immutable state of a world at one moment, without its journal and rate limits. */
export interface WorldSnapshot {
  readonly seed: number;
  readonly clock: ClockSnapshot;
  readonly random: StreamStates;
  /** Null if the secrets come from the seed, or from the key of the sandbox that continues the world. */
  readonly secrets: SecretsState | null;
  /** By the declaration of the table; a missing table is empty. */
  readonly tables: ReadonlyMap<AnyTable, TableSnapshot>;
}

/** The state of a world with its journal. Moments between which nothing changed share a snapshot. */
export interface Moment {
  /** With the time and the stream of request ids of an earlier moment, if this one changed nothing else. */
  readonly snapshot: WorldSnapshot;
  /** Sandbox time in milliseconds. */
  readonly now: number;
  readonly journal: JournalMark;
}

/** Returns the snapshot of a moment. */
export function snapshotAt({ snapshot, now, journal: { ids } }: Moment): WorldSnapshot {
  const random = ids === null ? snapshot.random : { ...snapshot.random, [REQUEST_IDS]: ids };
  return { ...snapshot, clock: { ...snapshot.clock, now }, random };
}
