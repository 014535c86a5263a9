import { rowSchema, StoredId } from '../../../core/store/row.ts';
import { defineTable } from '../../../core/store/table-definition.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
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
export async function redeliver(
  state: WorldState,
  { id: deliveryId, partnerId }: DeliveryRow,
): Promise<void> {
  const mustWait = isInFlight(state, deliveryId);
  const { id } = state.table(redeliveries).insert({ id: state.random.id('rdl'), partnerId, deliveryId });
  state.clock.schedule(state.clock.now(), { kind: REDELIVERY, ref: id });
  if (!mustWait) await state.clock.settled(({ kind, ref }) => kind === REDELIVERY && ref === id);
}

/** Makes the attempt of a redelivery. Nothing remains of one whose delivery has been dropped meanwhile. */
export function runRedelivery(state: WorldState, id: string): Promise<void> {
  const { deliveryId } = state.table(redeliveries).existing(id);
  return inTurn(state, deliveryId, async () => {
    const row = state.table(deliveries).get(deliveryId);
    if (row !== undefined) await makeAttempt(state, row);
    if (!state.ended.aborted) state.table(redeliveries).delete(id);
  });
}

async function makeAttempt(state: WorldState, before: DeliveryRow): Promise<void> {
  const at = isoTime(state.clock.now());
  const { attempt, responseBody, webhookUrl } = await sendAttempt(state, before, null);
  // A manual retry may have changed its status, and newer deliveries may have replaced it.
  const row = state.table(deliveries).get(before.id);
  if (state.ended.aborted || row === undefined) return;
  state.table(deliveries).update(row.id, {
    ...outcomeFor(row, attempt.cause),
    attempts: [...row.attempts, { at, ...attempt, redelivery: true }],
    webhookUrl,
    lastResponseBody: responseBody,
  });
  state.feed.publish({ kind: 'delivery', id: row.id, step: 'attempted' });
}

/** A redelivery decides nothing but that a failed delivery is delivered after all. */
function outcomeFor({ status }: DeliveryRow, cause: string | null): Partial<DeliveryRow> {
  if (status !== 'failed') return {};
  return { status: cause === null ? 'delivered' : 'failed', cause };
}
