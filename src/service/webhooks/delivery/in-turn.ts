import type { WorldState } from '../../../core/world/world-state.ts';

/** The last attempt of each delivery that has one in flight. */
const lastAttempts = (_world: WorldState) => new Map<string, Promise<void>>();

/** Whether an attempt of a delivery is in flight. */
export function isInFlight(state: WorldState, deliveryId: string): boolean {
  return state.part(lastAttempts).has(deliveryId);
}

/** Makes an attempt of a delivery once those before it have ended, so that a delivery never has two at once. */
export async function inTurn(
  state: WorldState,
  deliveryId: string,
  attempt: () => Promise<void>,
): Promise<void> {
  const attempts = state.part(lastAttempts);
  const before = attempts.get(deliveryId);
  const current = before === undefined ? attempt() : before.then(attempt, attempt);
  attempts.set(deliveryId, current);
  try {
    await current;
  } finally {
    if (attempts.get(deliveryId) === current) attempts.delete(deliveryId);
  }
}
