import { rowSchema, StoredId } from '../../../core/store/row.ts';
import { defineTable } from '../../../core/store/table-definition.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { World } from '../../../core/world/world.ts';
import { type DeliveryRow, deliveries } from '../deliveries.ts';
import { inTurn, isInFlight } from './in-turn.ts';
import { sendAttempt } from './send-attempt.ts';

/** The task kind of a redelivery; `ref` is its row. */
export const REDELIVERY = 'delivery.redeliver';

const RedeliveryRow = rowSchema(() => ({ deliveryId: StoredId }));

/** The redeliveries whose attempt has not ended. */
export const redeliveries = defineTable({
  kind: 'redelivery',
  row: RedeliveryRow,
  unique: {},
  groups: {},
});

/**
 * Sends a delivery once more at once, whatever its status. Resolves with the delivery when the attempt has ended, or at
 * once when another attempt of the delivery is in flight: its receiver may be the caller.
 */
export async function redeliver(world: World, { id: deliveryId, partnerId }: DeliveryRow): Promise<void> {
  const mustWait = isInFlight(world, deliveryId);
  const { id } = world.table(redeliveries).insert({ id: world.random.id('rdl'), partnerId, deliveryId });
  world.clock.schedule(world.clock.now(), { kind: REDELIVERY, ref: id });
  if (!mustWait) await world.clock.settled(({ kind, ref }) => kind === REDELIVERY && ref === id);
}

/** Makes the attempt of a redelivery. Nothing remains of one whose delivery has been dropped meanwhile. */
export function runRedelivery(world: World, id: string): Promise<void> {
  const { deliveryId } = world.table(redeliveries).existing(id);
  return inTurn(world, deliveryId, async () => {
    const row = world.table(deliveries).get(deliveryId);
    if (row !== undefined) await makeAttempt(world, row);
    if (!world.ended.aborted) world.table(redeliveries).delete(id);
  });
}

async function makeAttempt(world: World, before: DeliveryRow): Promise<void> {
  const at = isoTime(world.clock.now());
  const { attempt, responseBody, webhookUrl } = await sendAttempt(world, before, null);
  // A manual retry may have changed its status, and newer deliveries may have replaced it.
  const row = world.table(deliveries).get(before.id);
  if (world.ended.aborted || row === undefined) return;
  world.table(deliveries).update(row.id, {
    ...outcomeFor(row, attempt.cause),
    attempts: [...row.attempts, { at, ...attempt, redelivery: true }],
    webhookUrl,
    lastResponseBody: responseBody,
  });
  world.feed.publish({ kind: 'delivery', id: row.id, step: 'attempted' });
}

/** A redelivery decides nothing but that a failed delivery is delivered after all. */
function outcomeFor({ status }: DeliveryRow, cause: string | null): Partial<DeliveryRow> {
  if (status !== 'failed') return {};
  return { status: cause === null ? 'delivered' : 'failed', cause };
}
