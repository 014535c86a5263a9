import type { World } from '../../../kernel/world/world.ts';
import { type DeliveryRow, deliveries } from '../deliveries.ts';

/** Cap on the deliveries that are delivered or failed. The oldest are dropped; pending ones always stay. */
export const MAX_FINISHED_DELIVERIES = 10_000;

/**
 * The deliveries of one world that are delivered or failed, in the order in which they finished. It drops the oldest,
 * so that a sandbox that runs for long does not keep them all.
 */
class FinishedDeliveries {
  readonly #world: World;
  readonly #ids: Set<string>;
  /** Everything before its position is deleted, so the next value is always the oldest. */
  readonly #oldestFirst: Iterator<string, undefined>;

  constructor(world: World) {
    this.#world = world;
    const finished = [...world.table(deliveries).all()].filter(({ status }) => status !== 'pending');
    const finishedAt = ({ attempts, createdAt }: DeliveryRow) => attempts.at(-1)?.at ?? createdAt;
    finished.sort((a, b) => (finishedAt(a) < finishedAt(b) ? -1 : finishedAt(a) === finishedAt(b) ? 0 : 1));
    this.#ids = new Set(finished.map(({ id }) => id));
    this.#oldestFirst = this.#ids.values();
  }

  /** Adds a delivery that has finished, and drops the oldest above the cap. */
  add(id: string): void {
    this.#ids.add(id);
    while (this.#ids.size > MAX_FINISHED_DELIVERIES) {
      const { value: oldest } = this.#oldestFirst.next();
      if (oldest === undefined) return;
      this.#ids.delete(oldest);
      this.#world.table(deliveries).delete(oldest);
    }
  }

  /** Removes a delivery that is retried. */
  delete(id: string): void {
    this.#ids.delete(id);
  }
}

/** Returns the finished deliveries of a world. */
export function finishedDeliveriesOf(world: World): FinishedDeliveries {
  return world.part(createFinishedDeliveries);
}

function createFinishedDeliveries(world: World): FinishedDeliveries {
  return new FinishedDeliveries(world);
}
