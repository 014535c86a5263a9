import type { WorldSnapshot } from './world.ts';

/** How many records of each kind a world holds that it did not hold at an earlier moment, or in an earlier world. */
export function createdSince(now: WorldSnapshot, then: WorldSnapshot | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [table, { rows }] of now.tables) {
    const earlier = then?.tables.get(table)?.rows;
    const created = [...rows.keys()].filter(id => !earlier?.has(id)).length;
    if (created > 0) counts[table.kind] = created;
  }
  return counts;
}
