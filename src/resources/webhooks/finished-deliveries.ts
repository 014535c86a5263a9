import type { World } from '../../kernel/world/world.ts';
import { type DeliveryRow, deliveries } from './deliveries.ts';

/** So many deliveries are kept that are delivered or failed, those decided last. Pending ones always stay. */
export const MAX_FINISHED_DELIVERIES = 10_000;

/**
 * The deliveries of one world that are delivered or failed, in the order in which they were decided. It sees to it
 * that a sandbox that runs for long does not keep them all.
 */
class FinishedDeliveries {
  readonly #world: World;
  readonly #ids: Set<string>;
  /** Goes on from where it stood: what it passes is deleted, so that the oldest is never searched for. */
  readonly #oldestFirst: Iterator<string, undefined>;

  constructor(world: World) {
    this.#world = world;
    const decided = [...world.table(deliveries).all()].filter(({ status }) => status !== 'pending');
    const whenDecided = ({ attempts, createdAt }: DeliveryRow) => attempts.at(-1)?.at ?? createdAt;
    decided.sort((a, b) =>
      whenDecided(a) < whenDecided(b) ? -1 : whenDecided(a) === whenDecided(b) ? 0 : 1,
    );
    this.#ids = new Set(decided.map(({ id }) => id));
    this.#oldestFirst = this.#ids.values();
  }

  /** Notes that a delivery was decided, and forgets those decided longest ago where there are too many. */
  add(id: string): void {
    this.#ids.add(id);
    while (this.#ids.size > MAX_FINISHED_DELIVERIES) {
      const { value: oldest } = this.#oldestFirst.next();
      if (oldest === undefined) return;
      this.#ids.delete(oldest);
      this.#world.table(deliveries).delete(oldest);
    }
  }

  /** Notes that a delivery is on its way again. */
  delete(id: string): void {
    this.#ids.delete(id);
  }
}

/** The decided deliveries of a world. */
export function finishedDeliveriesOf(world: World): FinishedDeliveries {
  return world.part(createFinishedDeliveries);
}

function createFinishedDeliveries(world: World): FinishedDeliveries {
  return new FinishedDeliveries(world);
}
