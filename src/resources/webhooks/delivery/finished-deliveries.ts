import { TimerQueue } from '../../../kernel/time/timers.ts';
import type { World } from '../../../kernel/world/world.ts';
import { type DeliveryRow, deliveries } from '../deliveries.ts';

/** Cap on the deliveries that are delivered or failed. The oldest are dropped; pending ones always stay. */
export const MAX_FINISHED_DELIVERIES = 10_000;

/**
 * The deliveries of one world that are delivered or failed. It drops the oldest, so that a sandbox that runs for long
 * does not keep them all. The oldest is the one with the earliest last attempt; of several, the one created first: the
 * order in which attempts of one moment end depends on their receivers.
 */
class FinishedDeliveries {
  readonly #world: World;
  readonly #ids = new TimerQueue<string>();

  constructor(world: World) {
    this.#world = world;
    for (const row of world.table(deliveries).all()) if (row.status !== 'pending') this.#insert(row);
  }

  /** Adds a delivery that has finished, and drops the oldest above the cap. */
  add(row: DeliveryRow): void {
    this.#insert(row);
    while (this.#ids.size > MAX_FINISHED_DELIVERIES) {
      const oldest = this.#ids.takeDue(Number.POSITIVE_INFINITY);
      if (oldest === null) return;
      this.#world.table(deliveries).delete(oldest.value);
    }
  }

  /** Removes a delivery that is retried. */
  delete(id: string): void {
    this.#ids.delete(id);
  }

  #insert({ id, attempts, createdAt }: DeliveryRow): void {
    const finishedAt = Date.parse(attempts.at(-1)?.at ?? createdAt);
    this.#ids.set(id, finishedAt, id, this.#world.creationOrder.ofRow(deliveries, id));
  }
}

/** Returns the finished deliveries of a world. */
export function finishedDeliveriesOf(world: World): FinishedDeliveries {
  return world.part(createFinishedDeliveries);
}

function createFinishedDeliveries(world: World): FinishedDeliveries {
  return new FinishedDeliveries(world);
}
