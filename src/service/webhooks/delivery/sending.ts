import type { DomainEvent } from '../../../core/journal/events.ts';
import { assumed, badRequest } from '../../../core/operation/errors.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import { type DeliveryRow, deliveries } from '../deliveries.ts';
import { webhookFaultsOf } from '../faults.ts';
import { endHeldBack, mustWaitForNewer, startHeldBack } from '../held-deliveries.ts';
import { webhookConfigOf } from '../records.ts';
import { eventBody } from './event-body.ts';
import { dropOldestDeliveries } from './finished-deliveries.ts';
import { inTurn } from './in-turn.ts';
import { retryDelay } from './retry-schedule.ts';
import { NOT_CONFIGURED, sendAttempt, sendExtra } from './send-attempt.ts';

/** The task kind of one delivery attempt; `ref` is the delivery. */
export const WEBHOOK_ATTEMPT = 'delivery.attempt';

/**
 * Creates the delivery of an event, with the body that every attempt sends, and schedules the first attempt
 * (interface section 6). Does nothing for a type that the partner is not subscribed to.
 */
export function recordDelivery(state: WorldState, event: DomainEvent): void {
  const { id, type, partnerId, resourceId, createdAt, data } = event;
  const { webhookUrl, subscribedEvents } = webhookConfigOf(state, partnerId);
  const eventType = subscribedEvents.find(each => each === type);
  if (eventType === undefined) return;
  const isConfigured = webhookUrl !== null;
  const row = state.table(deliveries).insert({
    id,
    partnerId,
    eventType,
    resourceId,
    status: isConfigured ? 'pending' : 'failed',
    body: eventBody(state, { id, eventType, createdAt, data }),
    createdAt,
    attempts: [],
    isManual: false,
    nextRetryAt: null,
    webhookUrl,
    lastResponseBody: null,
    cause: isConfigured ? null : NOT_CONFIGURED,
  });
  if (isConfigured)
    scheduleAttempt(state, id, state.clock.now() + webhookFaultsOf(state).firstAttemptDelay(row));
  else dropOldestDeliveries(state);
  state.feed.publish({ kind: 'delivery', id, step: 'recorded' });
}

/**
 * Makes the attempt that is due, and marks the delivery as delivered or failed, or schedules a retry. The next
 * attempt is scheduled only after this one has ended, so a delivery never has two attempts at once.
 */
export function attemptDelivery(state: WorldState, id: string): Promise<void> {
  return inTurn(state, id, () => makeAttempt(state, id));
}

async function makeAttempt(state: WorldState, id: string): Promise<void> {
  const before = state.table(deliveries).existing(id);
  if (mustWaitForNewer(state, before)) return;
  const at = state.clock.now();
  const heldBy = startHeldBack(state, before);
  const extra = sendExtra(state, before);
  let row = before;
  // Without an additional request the attempt is sent in this turn, so that the time of the turn includes it.
  if (extra !== null) {
    const extraAttempt = await extra;
    if (state.ended.aborted) return;
    row = recordExtra(state, before, { at: isoTime(at), ...extraAttempt });
  }
  const { attempt, responseBody, webhookUrl } = await sendAttempt(state, row, heldBy);
  if (state.ended.aborted) return;
  const { cause } = attempt;
  const attempts = [...row.attempts, { at: isoTime(at), ...attempt }];
  const scheduled = attempts.filter(
    ({ redelivery, extra }) => redelivery === undefined && extra === undefined,
  );
  const delay =
    cause === null || row.isManual ? null : retryDelay(scheduled.length, state.options.retrySpeed);
  const nextRetryAt = delay === null ? null : at + delay;
  state.table(deliveries).update(id, {
    status: cause === null ? 'delivered' : nextRetryAt === null ? 'failed' : 'pending',
    attempts,
    nextRetryAt: nextRetryAt === null ? null : isoTime(nextRetryAt),
    webhookUrl,
    lastResponseBody: responseBody,
    cause,
  });
  if (nextRetryAt !== null) scheduleAttempt(state, id, nextRetryAt);
  else dropOldestDeliveries(state);
  const overtaken = endHeldBack(state, row);
  if (overtaken !== null) scheduleAttempt(state, overtaken, state.clock.now());
  state.feed.publish({ kind: 'delivery', id, step: 'attempted' });
}

/** Adds the additional request of a fault to the attempts of a delivery. It changes nothing else. */
function recordExtra(
  state: WorldState,
  { id, attempts }: DeliveryRow,
  extra: DeliveryRow['attempts'][number],
): DeliveryRow {
  const row = state.table(deliveries).update(id, { attempts: [...attempts, extra] });
  state.feed.publish({ kind: 'delivery', id, step: 'attempted' });
  return row;
}

/**
 * Schedules one immediate attempt of a failed delivery (interface section 4.11). Throws a 400 for any other.
 */
export function retryDelivery(state: WorldState, row: DeliveryRow): DeliveryRow {
  if (row.status !== 'failed') {
    const message = `delivery event ${row.id} is ${row.status}; only a failed one can be retried`;
    throw badRequest(assumed('manual-retry'), message);
  }
  const retried = state
    .table(deliveries)
    .update(row.id, { status: 'pending', isManual: true, nextRetryAt: null, cause: null });
  scheduleAttempt(state, row.id, state.clock.now());
  state.feed.publish({ kind: 'delivery', id: row.id, step: 'retried' });
  return retried;
}

function scheduleAttempt(state: WorldState, id: string, at: number): void {
  state.clock.schedule(at, { kind: WEBHOOK_ATTEMPT, ref: id });
}
