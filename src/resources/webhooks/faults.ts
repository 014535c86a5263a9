import * as z from 'zod';
import { partners } from '../../kernel/access/partners.ts';
import { withRoom } from '../../kernel/faults/faults.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import { type RowOf, rowSchema } from '../../kernel/store/row.ts';
import type { Table } from '../../kernel/store/table.ts';
import { defineTable } from '../../kernel/store/table-definition.ts';
import type { World } from '../../kernel/world/world.ts';
import type { DeliveryRow } from './deliveries.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { WEBHOOK_FAULT_KINDS, type WebhookFaultKind } from './fault-kinds.ts';
import { HOLDING_KINDS, holdBack } from './held-deliveries.ts';

/** Default delay of the fault `delay`. */
const DEFAULT_DELAY_MS = 1_000;
/** How long the fault `reorder` waits for another delivery by default. */
const MAX_HOLD_MS = 5_000;

const WebhookFaultRow = rowSchema({
  kind: z.enum(WEBHOOK_FAULT_KINDS),
  /** The event type it applies to; null for all. */
  eventType: z.enum(EVENT_TYPES).nullable(),
  /** How many deliveries it affects; null for all until it is deleted. */
  times: z.int().min(1).nullable(),
  /** The delay, or the age of a stale timestamp; null for the default of the kind. */
  delayMs: z.int().min(0).nullable(),
  /** How many deliveries it has affected. */
  hits: z.int().min(0),
});

type WebhookFaultRow = RowOf<typeof WebhookFaultRow>;

/** A webhook fault. */
export type WebhookFault = Omit<WebhookFaultRow, 'partnerId'>;

/** The webhook faults of a world, in the order in which they were added. They apply to all partners. */
export const webhookFaults = defineTable({
  kind: 'webhook fault',
  row: WebhookFaultRow,
  unique: {},
  groups: {},
});

/** The webhook faults of one world. A reset removes them; a snapshot or a state document keeps them. */
class WebhookFaults {
  readonly #world: World;
  readonly #faults: Table<WebhookFaultRow>;

  constructor(world: World) {
    this.#world = world;
    this.#faults = world.table(webhookFaults);
  }

  /** Returns all faults, including recently used-up ones. */
  list(): WebhookFault[] {
    return [...this.#faults.all()].map(({ partnerId: _owner, ...fault }) => fault);
  }

  /** Adds a fault. Throws a 400 when a thousand are still active. */
  add(fault: Omit<WebhookFault, 'id' | 'hits'>): WebhookFault {
    const all = [...this.#faults.all()];
    const others = new Set(
      withRoom(all, isUsedUp, { rule: assumed('webhook-faults'), path: 'webhook-faults' }),
    );
    for (const dropped of all) if (!others.has(dropped)) this.#faults.delete(dropped.id);
    // Every row belongs to a partner; one that applies to all of them belongs to the first.
    const [owner] = this.#world.table(partners).all();
    const added = { id: this.#world.random.id('wflt'), hits: 0, ...fault };
    this.#faults.insert({ ...added, partnerId: owner?.id ?? '' });
    return added;
  }

  /** Removes all faults. */
  clear(): void {
    for (const { id } of [...this.#faults.all()]) this.#faults.delete(id);
  }

  /** Returns the first active fault of these kinds for an event type and counts a hit, or undefined. */
  take(eventType: EventType, kinds: readonly WebhookFaultKind[]): WebhookFault | undefined {
    if (this.#faults.size === 0) return undefined;
    for (const fault of this.#faults.all()) {
      const isOfType = fault.eventType === null || fault.eventType === eventType;
      if (!kinds.includes(fault.kind) || !isOfType || isUsedUp(fault)) continue;
      return this.#faults.update(fault.id, { hits: fault.hits + 1 });
    }
    return undefined;
  }

  /** Returns the delay before the first attempt of a new delivery, in milliseconds of sandbox time. */
  firstAttemptDelay(row: DeliveryRow): number {
    const fault = this.take(row.eventType, HOLDING_KINDS);
    if (fault === undefined) return 0;
    const kind = fault.kind === 'delay' ? 'delay' : 'reorder';
    holdBack(this.#world, row, kind);
    return fault.delayMs ?? (kind === 'delay' ? DEFAULT_DELAY_MS : MAX_HOLD_MS);
  }
}

function isUsedUp({ times, hits }: WebhookFault): boolean {
  return hits === times;
}

/** Returns the webhook faults of a world. */
export function webhookFaultsOf(world: World): WebhookFaults {
  return world.part(createWebhookFaults);
}

function createWebhookFaults(world: World): WebhookFaults {
  return new WebhookFaults(world);
}
