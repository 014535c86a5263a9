import type { World } from '../../../core/world/world.ts';

/** The last attempt of each delivery that has one in flight. */
const lastAttempts = (_world: World) => new Map<string, Promise<void>>();

/** Whether an attempt of a delivery is in flight. */
export function isInFlight(world: World, deliveryId: string): boolean {
  return world.part(lastAttempts).has(deliveryId);
}

/** Makes an attempt of a delivery once those before it have ended, so that a delivery never has two at once. */
export async function inTurn(world: World, deliveryId: string, attempt: () => Promise<void>): Promise<void> {
  const attempts = world.part(lastAttempts);
  const before = attempts.get(deliveryId);
  const current = before === undefined ? attempt() : before.then(attempt, attempt);
  attempts.set(deliveryId, current);
  try {
    await current;
  } finally {
    if (attempts.get(deliveryId) === current) attempts.delete(deliveryId);
  }
}
