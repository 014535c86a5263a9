import type { WorldSnapshot } from './world-snapshot.ts';

/** Counts the records of each kind that are in one snapshot but not in an earlier one. */
export function createdSince(current: WorldSnapshot, earlier: WorldSnapshot | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [table, { rows }] of current.tables) {
    const known = earlier?.tables.get(table)?.rows;
    const created = [...rows.keys()].filter(id => !known?.has(id)).length;
    if (created > 0) counts[table.kind] = created;
  }
  return counts;
}
