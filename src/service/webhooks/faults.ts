import * as z from 'zod';
import { partnerOrFirst } from '../../core/access/partners.ts';
import { makeRoom } from '../../core/faults/faults.ts';
import { assumed } from '../../core/operation/errors.ts';
import { defineTable, type RowOf, rowSchema, StoredId } from '../../core/store/table-definition.ts';
import type { ActingWebhookFault } from '../../core/world/disturbance.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { EVENT_TYPES } from './event-types.ts';
import {
  HOLDING_KINDS,
  type HoldingKind,
  WEBHOOK_FAULT_KINDS,
  type WebhookFaultKind,
} from './fault-kinds.ts';
import { type DeliveryRow, deliveries } from './records.ts';

/** Default delays, and how long the response waits for the attempt under `before_response`. */
const DELAYS_MS: Readonly<Record<HoldingKind, number>> = {
  delay: 1_000,
  reorder: 5_000,
  before_response: 2_000,
};

const WebhookFaultRow = rowSchema(() => ({
  kind: z.enum(WEBHOOK_FAULT_KINDS),
  /** The partner whose deliveries it applies to; null for all. */
  scope: StoredId.nullable(),
  /** The event type it applies to; null for all. */
  eventType: z.enum(EVENT_TYPES).nullable(),
  /** How many deliveries it affects; null for all until it is deleted. */
  times: z.int().min(1).nullable(),
  /** The delay, or the age of a stale timestamp; null for the default of the kind. */
  delayMs: z.int().min(0).nullable(),
  /** How many deliveries it has affected. */
  hits: z.int().min(0),
}));

type WebhookFaultRow = RowOf<typeof WebhookFaultRow>;

/** A webhook fault. Its `partnerId` is the partner whose deliveries it applies to; null for all. */
export type WebhookFault = Omit<WebhookFaultRow, 'partnerId' | 'scope'> & {
  readonly partnerId: string | null;
};

/** The webhook faults of a world, in the order in which they were added, with recently used-up ones. A reset removes them. */
export const webhookFaults = defineTable({
  kind: 'webhook fault',
  row: WebhookFaultRow,
});

/** Adds a fault. Throws a 400 when a thousand are still active. */
export function addWebhookFault(
  state: WorldState,
  { partnerId: scope, ...members }: Omit<WebhookFault, 'id' | 'hits'>,
): WebhookFault {
  const table = state.table(webhookFaults);
  makeRoom(table, isUsedUp, { rule: assumed('webhook-faults'), path: 'webhook-faults' });
  // Every row belongs to a partner; one that applies to all of them belongs to the first.
  const partnerId = scope ?? partnerOrFirst(state, undefined).id;
  const id = state.random.id('wflt');
  return viewWebhookFault(table.insert({ id, partnerId, scope, hits: 0, ...members }));
}

/** Removes all faults, or those of one partner. */
export function clearWebhookFaults(state: WorldState, partnerId: string | undefined): void {
  const table = state.table(webhookFaults);
  for (const { id, scope } of [...table.all()]) {
    if (partnerId === undefined || scope === partnerId) table.delete(id);
  }
}

/**
 * Returns the fault that acts on a delivery, of one of these kinds, and counts a hit. Faults of the user act before the
 * disturbance of the world.
 */
export function takeFault<Kind extends WebhookFaultKind>(
  state: WorldState,
  row: DeliveryRow,
  kinds: readonly Kind[],
): ActingWebhookFault<Kind> | undefined {
  const table = state.table(webhookFaults);
  for (const fault of table.size === 0 ? [] : table.all()) {
    const kind = kinds.find(each => each === fault.kind);
    const isMeant =
      (fault.eventType === null || fault.eventType === row.eventType) &&
      (fault.scope === null || fault.scope === row.partnerId);
    if (kind === undefined || !isMeant || isUsedUp(fault)) continue;
    table.update(fault.id, { hits: fault.hits + 1 });
    return { kind, delayMs: fault.delayMs };
  }
  return state.setup.disturbance?.webhookFaultFor(state, row, kinds);
}

/** Returns the delay before the first attempt of a new delivery, in milliseconds of sandbox time. */
export function firstAttemptDelay(state: WorldState, row: DeliveryRow): number {
  const kinds = HOLDING_KINDS.filter(kind => kind !== 'before_response' || state.isResponding);
  const fault = takeFault(state, row, kinds);
  if (fault === undefined) return 0;
  const { kind, delayMs } = fault;
  const heldBack = { fault: kind, isOvertakable: kind === 'reorder' };
  state.table(deliveries).update(row.id, { heldBack });
  if (kind !== 'before_response') return delayMs ?? DELAYS_MS[kind];
  state.sendResponseAfter(untilAttempted(state, row.id, delayMs ?? DELAYS_MS[kind]));
  return 0;
}

/** Resolves when an attempt of a delivery has ended, or after some wall time. */
function untilAttempted({ setup }: WorldState, id: string, maxMs: number): Promise<void> {
  const { feed, realTime } = setup;
  return new Promise(resolve => {
    const finish = () => {
      unsubscribe();
      cancel();
      resolve();
    };
    const unsubscribe = feed.subscribe(message => {
      if (message.kind === 'delivery' && message.id === id && message.step === 'attempted') finish();
    });
    const cancel = realTime.after(maxMs, finish);
  });
}

export function viewWebhookFault({ scope, ...fault }: WebhookFaultRow): WebhookFault {
  return { ...fault, partnerId: scope };
}

function isUsedUp({ times, hits }: Pick<WebhookFaultRow, 'times' | 'hits'>): boolean {
  return hits === times;
}

/**
 * Whether an attempt that is due waits for a newer one of the partner that is held back, which releases it. Keeps in the
 * delivery that it waits.
 */
export function waitsForNewer(state: WorldState, { id, partnerId, heldBack }: DeliveryRow): boolean {
  if (heldBack?.isOvertakable !== true) return false;
  const table = state.table(deliveries);
  if (table.group('overtakable', partnerId).at(-1)?.id === id) return false;
  table.update(id, { heldBack: { ...heldBack, isDue: true } });
  return true;
}

/** Marks a delivery as no longer overtakable: its attempt starts, or a later delivery has overtaken it. */
export function release(state: WorldState, { id, heldBack }: DeliveryRow): void {
  if (heldBack?.isOvertakable !== true) return;
  state.table(deliveries).update(id, { heldBack: { fault: heldBack.fault, isOvertakable: false } });
}

/**
 * Releases the partner's newest held-back delivery that an attempt has overtaken. Returns its id, or null. Only a later
 * delivery overtakes, so that the result does not depend on how long an earlier one took.
 */
export function releaseOvertaken(state: WorldState, { id, partnerId }: DeliveryRow): string | null {
  const table = state.table(deliveries);
  const place = (delivery: string) => table.sequenceOf(delivery) ?? 0;
  const held = [...table.group('overtakable', partnerId)];
  const overtaken = held.findLast(other => place(other.id) < place(id));
  if (overtaken === undefined) return null;
  release(state, overtaken);
  return overtaken.id;
}
