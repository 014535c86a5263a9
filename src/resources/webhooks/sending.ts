import type { DomainEvent } from '../../kernel/journal/events.ts';
import { assumed, badRequest } from '../../kernel/operation/errors.ts';
import { isoTime } from '../../kernel/values/timestamp.ts';
import type { World } from '../../kernel/world/world.ts';
import { attempt, NOT_CONFIGURED } from './attempt.ts';
import { decidedDeliveriesOf } from './decided-deliveries.ts';
import { type DeliveryRow, deliveries } from './deliveries.ts';
import { webhookFaultsOf } from './faults.ts';
import { webhookConfigOf } from './records.ts';
import { retryDelay } from './retry-schedule.ts';

/** Kind of the task that makes one delivery attempt; its ref is the delivery's id. */
export const WEBHOOK_ATTEMPT = 'delivery.attempt';

/**
 * Makes the delivery of an event, with the bytes that every attempt will send, and has it attempted at once
 * (interface section 6). A type that the partner has not subscribed to makes none.
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
    body: JSON.stringify({ id, eventType, createdAt, data: world.names?.toPartner(data) ?? data }),
    createdAt,
    attempts: [],
    isManual: false,
    nextRetryAt: null,
    webhookUrl,
    lastResponseBody: null,
    cause: isConfigured ? null : NOT_CONFIGURED,
  });
  if (isConfigured) scheduleAttempt(world, id, world.clock.now() + webhookFaultsOf(world).lateness(row));
  else decidedDeliveriesOf(world).add(id);
  world.feed.publish({ kind: 'delivery', id, step: 'recorded' });
}

/**
 * Makes the attempt that is due and decides what follows: delivered, tried again later, or failed. Runs to
 * its end before the next attempt of the same delivery is scheduled, so there are never two at once.
 */
export async function attemptDelivery(world: World, id: string): Promise<void> {
  const row = world.table(deliveries).existing(id);
  const at = world.clock.now();
  const { made, body, webhookUrl } = await attempt(world, row);
  if (world.ended.aborted) return;
  const { cause } = made;
  const attempts = [...row.attempts, { at: isoTime(at), ...made }];
  const delay = cause === null || row.isManual ? null : retryDelay(attempts.length, world.options.retrySpeed);
  const nextRetryAt = delay === null ? null : at + delay;
  world.table(deliveries).update(id, {
    status: cause === null ? 'delivered' : nextRetryAt === null ? 'failed' : 'pending',
    attempts,
    nextRetryAt: nextRetryAt === null ? null : isoTime(nextRetryAt),
    webhookUrl,
    lastResponseBody: body,
    cause,
  });
  if (nextRetryAt !== null) scheduleAttempt(world, id, nextRetryAt);
  else decidedDeliveriesOf(world).add(id);
  const overtaken = webhookFaultsOf(world).overtaken(row);
  if (overtaken !== null) scheduleAttempt(world, overtaken, world.clock.now());
  world.feed.publish({ kind: 'delivery', id, step: 'attempted' });
}

/**
 * Has a failed delivery attempted once more, at once (interface section 4.11). Throws a 400 for any other.
 */
export function retryDelivery(world: World, row: DeliveryRow): DeliveryRow {
  if (row.status !== 'failed') {
    const message = `delivery event ${row.id} is ${row.status}; only a failed one can be retried`;
    throw badRequest(assumed('manual-retry'), message);
  }
  decidedDeliveriesOf(world).delete(row.id);
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
