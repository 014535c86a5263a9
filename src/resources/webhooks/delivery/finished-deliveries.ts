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
  readonly #ids = new TimerQueue<DeliveryRow>();
  /** How many there are, by partner. */
  readonly #counts = new Map<string, number>();

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
      this.#count(oldest.value, -1);
      this.#world.table(deliveries).delete(oldest.value.id);
    }
  }

  /** Removes a delivery that is retried. */
  delete(row: DeliveryRow): void {
    this.#ids.delete(row.id);
    this.#count(row, -1);
  }

  /** The number of deliveries of one partner, or of all, that are not finished. */
  pending(partnerId: string | undefined): number {
    const table = this.#world.table(deliveries);
    if (partnerId === undefined) return table.size - this.#ids.size;
    return table.ofPartner(partnerId).length - (this.#counts.get(partnerId) ?? 0);
  }

  #count({ partnerId }: DeliveryRow, change: number): void {
    this.#counts.set(partnerId, (this.#counts.get(partnerId) ?? 0) + change);
  }

  #insert(row: DeliveryRow): void {
    const { id, attempts, createdAt } = row;
    const { size } = this.#ids;
    const finishedAt = Date.parse(attempts.at(-1)?.at ?? createdAt);
    this.#ids.set(id, finishedAt, row, this.#world.creationOrder.ofRow(deliveries, id));
    // The first delivery to finish is among the rows that the constructor reads.
    if (this.#ids.size > size) this.#count(row, 1);
  }
}

/** Returns the finished deliveries of a world. */
export function finishedDeliveriesOf(world: World): FinishedDeliveries {
  return world.part(createFinishedDeliveries);
}

function createFinishedDeliveries(world: World): FinishedDeliveries {
  return new FinishedDeliveries(world);
}
