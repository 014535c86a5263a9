import type { WorldState } from '../../../core/world/world-state.ts';
import { deliveries } from '../deliveries.ts';

/** Cap on the deliveries that are delivered or failed. The oldest are dropped; pending ones always stay. */
export const MAX_FINISHED_DELIVERIES = 10_000;

/**
 * Drops the oldest deliveries that are delivered or failed, so that a sandbox that runs for long does not keep them
 * all. The oldest is the one with the earliest last attempt; of several, the one created first: the order in which
 * attempts of one moment end depends on their receivers.
 */
export function dropOldestDeliveries(state: WorldState): void {
  const table = state.table(deliveries);
  for (;;) {
    const finished = table.group('finished', '');
    const oldest = finished.at(0);
    if (oldest === undefined || finished.length <= MAX_FINISHED_DELIVERIES) return;
    table.delete(oldest.id);
  }
}
