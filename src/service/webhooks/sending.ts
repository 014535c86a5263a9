import type { DomainEvent } from '../../core/journal/events.ts';
import { assumed, badRequest, cause } from '../../core/operation/errors.ts';
import { endsWithin } from '../../core/time/realtime.ts';
import type { Task } from '../../core/time/timers.ts';
import { isoTime, timeOf } from '../../core/values/timestamp.ts';
import { defineTask, schedule } from '../../core/world/task-definition.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { firstAttemptDelay, release, releaseOvertaken, waitsForNewer } from './faults.ts';
import {
  type DeliveryRow,
  deliveries,
  redeliveries,
  scheduledAttempts,
  webhookConfigOf,
  withAttempt,
} from './records.ts';
import {
  type AttemptResult,
  eventBody,
  NOT_CONFIGURED,
  sendAttempt,
  sendExtra,
  startAttempt,
} from './send-attempt.ts';

/**
 * An attempt of a delivery, which is delivered or failed then, or waits for a retry. The next one is scheduled only after
 * this one has ended, so a delivery never has two attempts at once.
 */
export const deliveryAttempt = defineTask({
  kind: 'delivery.attempt',
  table: deliveries,
  waits: ({ status, heldBack }) => status === 'pending' && heldBack?.isDue !== true,
  run: (state, id) => runInTurn(state, attemptOf(id), id, at => makeAttempt(state, id, at)),
});

/** The attempt of a redelivery. Nothing remains of one whose delivery has been dropped meanwhile. */
export const redelivery = defineTask({
  kind: 'delivery.redeliver',
  table: redeliveries,
  waits: () => true,
  run(state, id) {
    const { deliveryId } = state.table(redeliveries).existing(id);
    return runInTurn(state, redeliveryOf(id), deliveryId, at => makeRedelivery(state, id, deliveryId, at));
  },
});

const attemptOf = (id: string): Task => ({ kind: deliveryAttempt.kind, ref: id });
const redeliveryOf = (id: string): Task => ({ kind: redelivery.kind, ref: id });

const MINUTE_MS = 60_000;

/** The delays before the five automatic retries, in milliseconds (interface section 6.4). */
const RETRY_DELAYS_MS = [1, 5, 30, 2 * 60, 24 * 60].map(minutes => minutes * MINUTE_MS);

/** Cap on the deliveries that are delivered or failed. The oldest are dropped; pending ones always stay. */
export const MAX_FINISHED_DELIVERIES = 10_000;

/** The cause for which a delivery is not retried. */
export const NOT_FAILED = cause(400, assumed('manual-retry'), 'not-failed');

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
  if (isConfigured) schedule(state, deliveryAttempt, id, state.clock.now() + firstAttemptDelay(state, row));
  else dropOldestDeliveries(state);
  state.setup.feed.publish({ kind: 'delivery', id, step: 'recorded' });
}

/** Schedules one immediate attempt (interface section 4.11). Throws a 400 unless the delivery has failed. */
export function retryDelivery(state: WorldState, row: DeliveryRow): DeliveryRow {
  if (row.status !== 'failed') {
    const message = `delivery event ${row.id} is ${row.status}; only a failed one can be retried`;
    throw badRequest(NOT_FAILED, message);
  }
  const retried = state
    .table(deliveries)
    .update(row.id, { status: 'pending', isManual: true, nextRetryAt: null, cause: null });
  schedule(state, deliveryAttempt, row.id, state.clock.now());
  state.setup.feed.publish({ kind: 'delivery', id: row.id, step: 'retried' });
  return retried;
}

/**
 * Sends a delivery once more at once, whatever its status. Resolves when the attempt has ended, or at once when another
 * attempt of the delivery is in flight: its receiver may be the caller.
 */
export async function redeliver(state: WorldState, row: DeliveryRow): Promise<void> {
  const { id: deliveryId, partnerId } = row;
  const mustWait = state.memo(attemptTurns).has(deliveryId);
  const { id } = state.table(redeliveries).insert({ id: state.random.id('rdl'), partnerId, deliveryId });
  schedule(state, redelivery, id, state.clock.now());
  if (!mustWait)
    await state.clock.waitUntilSettled(({ kind, ref }) => kind === redelivery.kind && ref === id);
}

/** The attempts of a delivery that are in flight or wait for their turn. */
interface Turns {
  readonly count: number;
  /** Resolves with the time at which the last of them has ended. */
  readonly last: Promise<number>;
}

const attemptTurns = (_state: WorldState) => new Map<string, Turns>();

/**
 * Makes an attempt of a delivery once those before it have ended, so that a delivery never has two at once. `attempt` is
 * called with the time at which it begins, and returns that of its end: at once when it sends nothing.
 */
function runInTurn(
  state: WorldState,
  task: Task,
  deliveryId: string,
  attempt: (at: number) => number | Promise<number>,
): undefined | Promise<void> {
  const turns = state.memo(attemptTurns);
  const before = turns.get(deliveryId);
  const current =
    before === undefined
      ? attempt(state.clock.now())
      : // A running clock has moved on when it begins, so that it is passed the time at which the one before has ended.
        before.last.then(at => {
          const end = attempt(at);
          if (typeof end === 'number') endTurn(state, task, deliveryId);
          return end;
        });
  if (typeof current === 'number') return undefined;
  const last = current.catch(() => {
    endTurn(state, task, deliveryId);
    return state.clock.now();
  });
  turns.set(deliveryId, { count: (before?.count ?? 0) + 1, last });
  return current.then(() => undefined);
}

/** An attempt ends now: its task is not in flight any more, and one that is due starts without waiting for it. */
function endTurn(state: WorldState, task: Task, deliveryId: string): void {
  state.clock.endInFlight(task);
  const turns = state.memo(attemptTurns);
  const { count, last } = turns.get(deliveryId) ?? { count: 0, last: Promise.resolve(0) };
  if (count > 1) turns.set(deliveryId, { count: count - 1, last });
  else turns.delete(deliveryId);
}

/** How long an attempt waits for the one before it, in milliseconds of wall time: a slow receiver holds up no more. */
const ARRIVAL_MS = 100;

/** For each partner, the arrival of its newest attempt, as long as the next one has to wait for it. */
const lastArrivals = (_state: WorldState) => new Map<string, Promise<unknown>>();

function makeAttempt(state: WorldState, id: string, at: number): number | Promise<number> {
  const before = state.table(deliveries).existing(id);
  if (waitsForNewer(state, before)) return at;
  release(state, before);
  const extra = sendExtra(state, before);
  const previous = state.memo(lastArrivals).get(before.partnerId);
  if (extra === null && previous === undefined) {
    // It is sent in this turn of the event loop, so that the time of the turn includes it.
    const end = sendDelivery(state, before, at);
    if (typeof end !== 'number' && sendsInTurn(state))
      holdNext(state, before.partnerId, Promise.resolve(), end);
    return end;
  }
  const others = Promise.all([extra, previous]);
  const end = others.then(([attempt]) => {
    if (state.ended.aborted) return at;
    const row =
      attempt === null
        ? before
        : state.clock.endTask(() => recordExtra(state, before, { at: isoTime(at), ...attempt }));
    const made = sendDelivery(state, row, at);
    if (typeof made === 'number') endTurn(state, attemptOf(id), id);
    return made;
  });
  holdNext(state, before.partnerId, others, end);
  return end;
}

/** Sends the webhook of a delivery. Returns the time of its end: at once when nothing is sent. */
function sendDelivery(state: WorldState, row: DeliveryRow, at: number): number | Promise<number> {
  const { id } = row;
  const heldBy = row.heldBack?.fault ?? null;
  const start = row.inFlight ?? startAttempt(state, row, at);
  if ('attempt' in start) return endAttempt(state, row, at, start);
  state.table(deliveries).update(id, { inFlight: start });
  return endOf(state, attemptOf(id), id, sendAttempt(state, row, start, heldBy), result =>
    endAttempt(state, row, timeOf(start.at), result),
  );
}

function sendsInTurn(state: WorldState): boolean {
  return state.setup.disturbance?.sendsInTurn === true;
}

/** Lets the next attempt of the partner wait for one that is sent after `others`: until it has ended, or for a while. */
function holdNext(
  state: WorldState,
  partnerId: string,
  others: Promise<unknown>,
  end: Promise<number>,
): void {
  const arrivals = state.memo(lastArrivals);
  const ended = end.then(
    () => (sendsInTurn(state) ? untilRepeated(state, partnerId) : undefined),
    () => undefined,
  );
  const arrival = others
    .then(() => endsWithin(ARRIVAL_MS, ended, state.setup.realTime))
    .finally(() => {
      if (arrivals.get(partnerId) === arrival) arrivals.delete(partnerId);
    });
  arrivals.set(partnerId, arrival);
}

/** Resolves when no redelivery of a partner is due or in flight. A clock that moves starts none before it has drained. */
async function untilRepeated(state: WorldState, partnerId: string): Promise<void> {
  if (state.clock.isMoving) return;
  await state.clock.waitUntilSettled(
    ({ kind, ref }) =>
      kind === redelivery.kind && state.table(redeliveries).get(ref)?.partnerId === partnerId,
  );
}

/** Calls `end` with the result of an attempt, all at one moment. Resolves with that time. */
async function endOf(
  state: WorldState,
  task: Task,
  deliveryId: string,
  attempt: Promise<AttemptResult>,
  end: (result: AttemptResult) => number,
): Promise<number> {
  const result = await attempt;
  if (state.ended.aborted) return state.clock.now();
  return state.clock.endTask(() => {
    endTurn(state, task, deliveryId);
    return end(result);
  });
}

/** Keeps the result of an attempt that ends now, and schedules the next one. Returns the time. */
function endAttempt(
  state: WorldState,
  row: DeliveryRow,
  at: number,
  { attempt, responseBody, webhookUrl }: AttemptResult,
): number {
  const { id } = row;
  const { cause } = attempt;
  const now = state.clock.now();
  const made = withAttempt(row, { at: isoTime(at), ...attempt });
  const delay =
    cause === null || row.isManual ? null : retryDelay(scheduledAttempts(made), state.setup.retrySpeed);
  const nextRetryAt = delay === null ? null : at + delay;
  state.table(deliveries).update(id, {
    status: cause === null ? 'delivered' : nextRetryAt === null ? 'failed' : 'pending',
    ...made,
    nextRetryAt: nextRetryAt === null ? null : isoTime(nextRetryAt),
    webhookUrl,
    lastResponseBody: responseBody,
    cause,
    inFlight: undefined,
    heldBack: undefined,
  });
  if (nextRetryAt !== null) schedule(state, deliveryAttempt, id, nextRetryAt);
  else dropOldestDeliveries(state);
  const overtaken = releaseOvertaken(state, row);
  if (overtaken !== null) schedule(state, deliveryAttempt, overtaken, now);
  state.setup.feed.publish({ kind: 'delivery', id, step: 'attempted' });
  return now;
}

/** Adds an additional request to the attempts of a delivery. It changes nothing else. */
function recordExtra(
  state: WorldState,
  before: DeliveryRow,
  extra: DeliveryRow['attempts'][number],
): DeliveryRow {
  const row = state.table(deliveries).update(before.id, withAttempt(before, extra));
  state.setup.feed.publish({ kind: 'delivery', id: row.id, step: 'attempted' });
  return row;
}

/** In milliseconds of sandbox time; null after the last automatic retry. `speed` divides the published delays. */
function retryDelay(attemptCount: number, speed: number): number | null {
  const delay = RETRY_DELAYS_MS[attemptCount - 1];
  return delay === undefined ? null : Math.round(delay / speed);
}

function makeRedelivery(
  state: WorldState,
  id: string,
  deliveryId: string,
  at: number,
): number | Promise<number> {
  const before = state.table(deliveries).get(deliveryId);
  const end = (result: AttemptResult, startedAt: number) =>
    endRedelivery(state, id, deliveryId, startedAt, result);
  if (before === undefined) {
    state.table(redeliveries).delete(id);
    return at;
  }
  const start = state.table(redeliveries).existing(id).inFlight ?? startAttempt(state, before, at);
  if ('attempt' in start) return end(start, at);
  state.table(redeliveries).update(id, { inFlight: start });
  return endOf(state, redeliveryOf(id), deliveryId, sendAttempt(state, before, start, null), result =>
    end(result, timeOf(start.at)),
  );
}

/** Keeps the result of a redelivery that ends now. Returns the time. */
function endRedelivery(
  state: WorldState,
  id: string,
  deliveryId: string,
  at: number,
  { attempt, responseBody, webhookUrl }: AttemptResult,
): number {
  state.table(redeliveries).delete(id);
  // A manual retry may have changed its status, and newer deliveries may have replaced it.
  const row = state.table(deliveries).get(deliveryId);
  if (row !== undefined) {
    state.table(deliveries).update(deliveryId, {
      ...outcomeFor(row, attempt.cause),
      ...withAttempt(row, { at: isoTime(at), ...attempt, redelivery: true }),
      webhookUrl,
      lastResponseBody: responseBody,
    });
    state.setup.feed.publish({ kind: 'delivery', id: deliveryId, step: 'attempted' });
  }
  return state.clock.now();
}

/** A redelivery changes the status of a failed delivery only. */
function outcomeFor({ status }: DeliveryRow, cause: string | null): Partial<DeliveryRow> {
  if (status !== 'failed') return {};
  return { status: cause === null ? 'delivered' : 'failed', cause };
}

/**
 * Drops the oldest deliveries that are delivered or failed, so that a sandbox that runs for long does not keep them
 * all. The oldest is the one with the earliest last attempt; of several, the one created first: the order in which
 * attempts of one moment end depends on their receivers.
 */
function dropOldestDeliveries(state: WorldState): void {
  const table = state.table(deliveries);
  for (;;) {
    const finished = table.group('finished', '');
    const oldest = finished.at(0);
    if (oldest === undefined || finished.length <= MAX_FINISHED_DELIVERIES) return;
    table.delete(oldest.id);
  }
}
