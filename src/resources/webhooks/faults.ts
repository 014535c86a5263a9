import * as z from 'zod';
import { partners } from '../../kernel/access/partners.ts';
import { withRoom } from '../../kernel/faults/faults.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import { type RowOf, rowSchema, StoredId } from '../../kernel/store/row.ts';
import type { Table } from '../../kernel/store/table.ts';
import { defineTable } from '../../kernel/store/table-definition.ts';
import type { World } from '../../kernel/world/world.ts';
import type { DeliveryRow } from './deliveries.ts';
import { EVENT_TYPES } from './event-types.ts';
import { WEBHOOK_FAULT_KINDS, type WebhookFaultKind } from './fault-kinds.ts';
import { HOLDING_KINDS, holdBack } from './held-deliveries.ts';

/** Default delay of the fault `delay`. */
const DEFAULT_DELAY_MS = 1_000;
/** How long the fault `reorder` waits for another delivery by default. */
const MAX_HOLD_MS = 5_000;

const WebhookFaultRow = rowSchema({
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
});

type WebhookFaultRow = RowOf<typeof WebhookFaultRow>;

/** A webhook fault. Its `partnerId` is the partner whose deliveries it applies to; null for all. */
export type WebhookFault = Omit<WebhookFaultRow, 'partnerId' | 'scope'> & {
  readonly partnerId: string | null;
};

/** The webhook faults of a world, in the order in which they were added. */
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
    return [...this.#faults.all()].map(viewFault);
  }

  /** Adds a fault. Throws a 400 when a thousand are still active. */
  add(fault: Omit<WebhookFault, 'id' | 'hits'>): WebhookFault {
    const all = [...this.#faults.all()];
    const others = new Set(
      withRoom(all, isUsedUp, { rule: assumed('webhook-faults'), path: 'webhook-faults' }),
    );
    for (const dropped of all) if (!others.has(dropped)) this.#faults.delete(dropped.id);
    // Every row belongs to a partner; one that applies to all of them belongs to the first.
    const [first] = this.#world.table(partners).all();
    const { partnerId: scope, ...members } = fault;
    const id = this.#world.random.id('wflt');
    return viewFault(
      this.#faults.insert({ id, partnerId: scope ?? first?.id ?? '', scope, hits: 0, ...members }),
    );
  }

  /** Removes all faults, or those of one partner. */
  clear(partnerId?: string): void {
    for (const { id, scope } of [...this.#faults.all()]) {
      if (partnerId === undefined || scope === partnerId) this.#faults.delete(id);
    }
  }

  /** Returns the first active fault of these kinds for a delivery and counts a hit, or undefined. */
  take(
    { eventType, partnerId }: Pick<DeliveryRow, 'eventType' | 'partnerId'>,
    kinds: readonly WebhookFaultKind[],
  ): WebhookFault | undefined {
    if (this.#faults.size === 0) return undefined;
    for (const fault of this.#faults.all()) {
      const isOfType = fault.eventType === null || fault.eventType === eventType;
      const isOfPartner = fault.scope === null || fault.scope === partnerId;
      if (!kinds.includes(fault.kind) || !isOfType || !isOfPartner || isUsedUp(fault)) continue;
      return viewFault(this.#faults.update(fault.id, { hits: fault.hits + 1 }));
    }
    return undefined;
  }

  /** Returns the delay before the first attempt of a new delivery, in milliseconds of sandbox time. */
  firstAttemptDelay(row: DeliveryRow): number {
    const fault = this.take(row, HOLDING_KINDS);
    if (fault === undefined) return 0;
    const kind = fault.kind === 'delay' ? 'delay' : 'reorder';
    holdBack(this.#world, row, kind);
    return fault.delayMs ?? (kind === 'delay' ? DEFAULT_DELAY_MS : MAX_HOLD_MS);
  }
}

function viewFault({ scope, ...fault }: WebhookFaultRow): WebhookFault {
  return { ...fault, partnerId: scope };
}

function isUsedUp({ times, hits }: Pick<WebhookFaultRow, 'times' | 'hits'>): boolean {
  return hits === times;
}

/** Returns the webhook faults of a world. */
export function webhookFaultsOf(world: World): WebhookFaults {
  return world.part(createWebhookFaults);
}

function createWebhookFaults(world: World): WebhookFaults {
  return new WebhookFaults(world);
}
