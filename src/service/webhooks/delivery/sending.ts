import type { DomainEvent } from '../../../core/journal/events.ts';
import { assumed, badRequest } from '../../../core/operation/errors.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { World } from '../../../core/world/world.ts';
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
export function recordDelivery(world: World, event: DomainEvent): void {
  const { id, type, partnerId, resourceId, createdAt, data } = event;
  const { webhookUrl, subscribedEvents } = webhookConfigOf(world, partnerId);
  const eventType = subscribedEvents.find(each => each === type);
  if (eventType === undefined) return;
  const isConfigured = webhookUrl !== null;
  const row = world.table(deliveries).insert({
    id,
    partnerId,
    eventType,
    resourceId,
    status: isConfigured ? 'pending' : 'failed',
    body: eventBody(world, { id, eventType, createdAt, data }),
    createdAt,
    attempts: [],
    isManual: false,
    nextRetryAt: null,
    webhookUrl,
    lastResponseBody: null,
    cause: isConfigured ? null : NOT_CONFIGURED,
  });
  if (isConfigured)
    scheduleAttempt(world, id, world.clock.now() + webhookFaultsOf(world).firstAttemptDelay(row));
  else dropOldestDeliveries(world);
  world.feed.publish({ kind: 'delivery', id, step: 'recorded' });
}

/**
 * Makes the attempt that is due, and marks the delivery as delivered or failed, or schedules a retry. The next
 * attempt is scheduled only after this one has ended, so a delivery never has two attempts at once.
 */
export function attemptDelivery(world: World, id: string): Promise<void> {
  return inTurn(world, id, () => makeAttempt(world, id));
}

async function makeAttempt(world: World, id: string): Promise<void> {
  const before = world.table(deliveries).existing(id);
  if (mustWaitForNewer(world, before)) return;
  const at = world.clock.now();
  const heldBy = startHeldBack(world, before);
  const extra = sendExtra(world, before);
  let row = before;
  // Without an additional request the attempt is sent in this turn, so that the time of the turn includes it.
  if (extra !== null) {
    const extraAttempt = await extra;
    if (world.ended.aborted) return;
    row = recordExtra(world, before, { at: isoTime(at), ...extraAttempt });
  }
  const { attempt, responseBody, webhookUrl } = await sendAttempt(world, row, heldBy);
  if (world.ended.aborted) return;
  const { cause } = attempt;
  const attempts = [...row.attempts, { at: isoTime(at), ...attempt }];
  const scheduled = attempts.filter(
    ({ redelivery, extra }) => redelivery === undefined && extra === undefined,
  );
  const delay =
    cause === null || row.isManual ? null : retryDelay(scheduled.length, world.options.retrySpeed);
  const nextRetryAt = delay === null ? null : at + delay;
  world.table(deliveries).update(id, {
    status: cause === null ? 'delivered' : nextRetryAt === null ? 'failed' : 'pending',
    attempts,
    nextRetryAt: nextRetryAt === null ? null : isoTime(nextRetryAt),
    webhookUrl,
    lastResponseBody: responseBody,
    cause,
  });
  if (nextRetryAt !== null) scheduleAttempt(world, id, nextRetryAt);
  else dropOldestDeliveries(world);
  const overtaken = endHeldBack(world, row);
  if (overtaken !== null) scheduleAttempt(world, overtaken, world.clock.now());
  world.feed.publish({ kind: 'delivery', id, step: 'attempted' });
}

/** Adds the additional request of a fault to the attempts of a delivery. It changes nothing else. */
function recordExtra(
  world: World,
  { id, attempts }: DeliveryRow,
  extra: DeliveryRow['attempts'][number],
): DeliveryRow {
  const row = world.table(deliveries).update(id, { attempts: [...attempts, extra] });
  world.feed.publish({ kind: 'delivery', id, step: 'attempted' });
  return row;
}

/**
 * Schedules one immediate attempt of a failed delivery (interface section 4.11). Throws a 400 for any other.
 */
export function retryDelivery(world: World, row: DeliveryRow): DeliveryRow {
  if (row.status !== 'failed') {
    const message = `delivery event ${row.id} is ${row.status}; only a failed one can be retried`;
    throw badRequest(assumed('manual-retry'), message);
  }
  const retried = world
    .table(deliveries)
    .update(row.id, { status: 'pending', isManual: true, nextRetryAt: null, cause: null });
  scheduleAttempt(world, row.id, world.clock.now());
  world.feed.publish({ kind: 'delivery', id: row.id, step: 'retried' });
  return retried;
}

function scheduleAttempt(world: World, id: string, at: number): void {
  world.clock.schedule(at, { kind: WEBHOOK_ATTEMPT, ref: id });
}
