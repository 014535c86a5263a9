import type { AnyTable, TableSnapshot } from '../store/table-definition.ts';
import type { ClockSnapshot } from '../time/clock.ts';
import type { StreamStates } from '../values/random.ts';
import type { SecretsState } from '../values/secrets.ts';

/** The contents of tables, by their declarations; a missing table is empty. */
export interface TableSnapshots extends Iterable<readonly [table: AnyTable, snapshot: TableSnapshot]> {
  get(table: AnyTable): TableSnapshot | undefined;
}

/** The immutable state of a world at one moment, without its journal and rate limits. */
export interface WorldSnapshot {
  readonly seed: number;
  readonly clock: ClockSnapshot;
  readonly random: StreamStates;
  /** Null if the secrets come from the seed, or from the key of the sandbox that continues the world. */
  readonly secrets: SecretsState | null;
  readonly tables: TableSnapshots;
}

export function countRecords({ tables }: WorldSnapshot): number {
  let count = 0;
  for (const [, { size }] of tables) count += size;
  return count;
}

/** Counts the records of each kind that are in one snapshot but not in an earlier one. */
export function createdSince(current: WorldSnapshot, earlier: WorldSnapshot | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [table, snapshot] of current.tables) {
    const known = earlier?.tables.get(table)?.open();
    let created = 0;
    for (const { id } of snapshot.values()) if (known?.find(0, id) === undefined) created += 1;
    if (created > 0) counts[table.kind] = created;
  }
  return counts;
}
