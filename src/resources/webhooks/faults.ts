import { withRoom } from '../../kernel/faults/faults.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import type { World } from '../../kernel/world/world.ts';
import type { DeliveryRow } from './deliveries.ts';
import type { EventType } from './event-types.ts';
import type { WebhookFaultKind } from './fault-kinds.ts';

const DELAYING_KINDS = ['delay', 'reorder'] as const;
/** Default delay of the fault `delay`. */
const DEFAULT_DELAY_MS = 1_000;
/** How long the fault `reorder` waits for another delivery by default. */
const MAX_HOLD_MS = 5_000;

/** A webhook fault. */
export interface WebhookFault {
  readonly id: string;
  readonly kind: WebhookFaultKind;
  /** The partner whose deliveries it applies to; null for all. */
  readonly partnerId: string | null;
  /** The event type it applies to; null for all. */
  readonly eventType: EventType | null;
  /** How many deliveries it affects; null for all until it is deleted. */
  readonly times: number | null;
  /** The delay, or the age of a stale timestamp; null for the default of the kind. */
  readonly delayMs: number | null;
  /** How many deliveries it has affected. */
  readonly hits: number;
}

/** The webhook faults of one world, in the order in which they were added. A reset removes them. */
export class WebhookFaults {
  readonly #world: World;
  #faults: readonly WebhookFault[] = [];
  /** Deliveries whose first attempt a fault delays. */
  readonly #delayed = new Map<string, 'delay' | 'reorder'>();
  /** By partner, the delivery that waits for another to overtake it. */
  readonly #heldBack = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns all faults, including recently used-up ones. */
  list(): readonly WebhookFault[] {
    return this.#faults;
  }

  /** Adds a fault. Throws a 400 when a thousand are still active. */
  add(fault: Omit<WebhookFault, 'id' | 'hits'>): WebhookFault {
    const others = withRoom(this.#faults, isUsedUp, {
      rule: assumed('webhook-faults'),
      path: 'webhook-faults',
    });
    const added = { id: this.#world.random.id('wflt'), hits: 0, ...fault };
    this.#faults = [...others, added];
    return added;
  }

  /** Removes all faults, or those of one partner. */
  clear(partnerId?: string): void {
    this.#faults = this.#faults.filter(fault => partnerId !== undefined && fault.partnerId !== partnerId);
  }

  /** Returns the first active fault of these kinds for a delivery and counts a hit, or undefined. */
  take(
    { eventType, partnerId }: Pick<DeliveryRow, 'eventType' | 'partnerId'>,
    kinds: readonly WebhookFaultKind[],
  ): WebhookFault | undefined {
    const index = this.#faults.findIndex(
      fault =>
        kinds.includes(fault.kind) &&
        (fault.eventType === null || fault.eventType === eventType) &&
        (fault.partnerId === null || fault.partnerId === partnerId) &&
        !isUsedUp(fault),
    );
    const fault = this.#faults[index];
    if (fault === undefined) return undefined;
    const hit = { ...fault, hits: fault.hits + 1 };
    this.#faults = this.#faults.with(index, hit);
    return hit;
  }

  /** Returns the delay before the first attempt of a new delivery, in milliseconds of sandbox time. */
  firstAttemptDelay(row: DeliveryRow): number {
    const fault = this.take(row, DELAYING_KINDS);
    const { id, partnerId } = row;
    if (fault === undefined) return 0;
    if (fault.kind === 'delay') {
      this.#delayed.set(id, 'delay');
      return fault.delayMs ?? DEFAULT_DELAY_MS;
    }
    this.#delayed.set(id, 'reorder');
    this.#heldBack.set(partnerId, id);
    return fault.delayMs ?? MAX_HOLD_MS;
  }

  /** Returns the fault that delayed this delivery's first attempt, or null, and releases the delivery. */
  takeDelayReason({ id, partnerId }: DeliveryRow): 'delay' | 'reorder' | null {
    const reason = this.#delayed.get(id) ?? null;
    this.#delayed.delete(id);
    if (this.#heldBack.get(partnerId) === id) this.#heldBack.delete(partnerId);
    return reason;
  }

  /** Returns the delivery of this partner that waits to be overtaken, or null, and releases it. */
  takeHeldBack({ partnerId }: DeliveryRow): string | null {
    const heldBack = this.#heldBack.get(partnerId) ?? null;
    this.#heldBack.delete(partnerId);
    return heldBack;
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
