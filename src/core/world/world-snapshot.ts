import type { AnyTable } from '../store/table-definition.ts';
import type { TableSnapshot } from '../store/table-snapshot.ts';
import type { ClockSnapshot } from '../time/clock-state.ts';
import type { StreamStates } from '../values/random.ts';
import type { SecretsState } from '../values/secrets.ts';

/** The contents of all tables, by their declarations; a missing table is empty. */
export type TableSnapshots = ReadonlyMap<AnyTable, TableSnapshot>;

/** The immutable state of a world at one moment, without its journal and rate limits. */
export interface WorldSnapshot {
  readonly seed: number;
  readonly clock: ClockSnapshot;
  readonly random: StreamStates;
  /** Null if the secrets come from the seed, or from the key of the sandbox that continues the world. */
  readonly secrets: SecretsState | null;
  readonly tables: TableSnapshots;
}
