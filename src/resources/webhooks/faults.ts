import { withRoom } from '../../kernel/faults/faults.ts';
import { assumed } from '../../kernel/operation/errors.ts';
import type { World } from '../../kernel/world/world.ts';
import type { DeliveryRow } from './deliveries.ts';
import type { EventType } from './schema.ts';

/** The ways in which deliveries can be bent. */
export const WEBHOOK_FAULT_KINDS = [
  'duplicate',
  'reorder',
  'delay',
  'drop',
  'bad_signature',
  'stale_timestamp',
] as const;

/** A way in which deliveries can be bent. */
export type WebhookFaultKind = (typeof WEBHOOK_FAULT_KINDS)[number];

const DELAYING_KINDS = ['delay', 'reorder'] as const;
/** How late `delay` is, unless it says how late. */
const DELAY_MS = 1_000;
/** How long `reorder` waits for another delivery, unless it says how long. */
const MAX_HOLD_MS = 5_000;

/** A fault that waits for deliveries to bend. */
export interface WebhookFault {
  readonly id: string;
  readonly kind: WebhookFaultKind;
  /** Only deliveries of this type; null for all. */
  readonly eventType: EventType | null;
  /** How often it still acts; null for until it is deleted. */
  readonly times: number | null;
  /** How late, or how stale; null for the kind's own measure. */
  readonly delayMs: number | null;
  /** How often it acted. */
  readonly hits: number;
}

/** The webhook faults of one world, in the order in which they were set. They end with it. */
export class WebhookFaults {
  readonly #world: World;
  #faults: readonly WebhookFault[] = [];
  /** Deliveries whose first attempt is late on purpose. */
  readonly #late = new Map<string, 'delay' | 'reorder'>();
  /** Of each partner, the delivery that waits for another to overtake it. */
  readonly #heldBack = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** All faults, those used up lately included. */
  list(): readonly WebhookFault[] {
    return this.#faults;
  }

  /** Sets a fault. Throws a 400 when there are a thousand that may still act. */
  add(fault: Omit<WebhookFault, 'id' | 'hits'>): WebhookFault {
    const others = withRoom(this.#faults, isUsedUp, {
      rule: assumed('webhook-faults'),
      path: 'webhook-faults',
    });
    const added = { id: this.#world.random.id('wflt'), hits: 0, ...fault };
    this.#faults = [...others, added];
    return added;
  }

  /** Ends all faults. */
  clear(): void {
    this.#faults = [];
  }

  /** The first fault of these kinds that is to act on a delivery of this type; it counts as having acted. */
  take(eventType: EventType, kinds: readonly WebhookFaultKind[]): WebhookFault | undefined {
    const index = this.#faults.findIndex(
      fault =>
        kinds.includes(fault.kind) &&
        (fault.eventType === null || fault.eventType === eventType) &&
        !isUsedUp(fault),
    );
    const fault = this.#faults[index];
    if (fault === undefined) return undefined;
    const hit = { ...fault, hits: fault.hits + 1 };
    this.#faults = this.#faults.with(index, hit);
    return hit;
  }

  /** How long the first attempt of a new delivery is to wait, in milliseconds of sandbox time. */
  firstAttemptDelay({ id, partnerId, eventType }: DeliveryRow): number {
    const fault = this.take(eventType, DELAYING_KINDS);
    if (fault === undefined) return 0;
    if (fault.kind === 'delay') {
      this.#late.set(id, 'delay');
      return fault.delayMs ?? DELAY_MS;
    }
    this.#late.set(id, 'reorder');
    this.#heldBack.set(partnerId, id);
    return fault.delayMs ?? MAX_HOLD_MS;
  }

  /** Which fault made this delivery's attempt late, if one did; asked once, when it begins. It waits no longer. */
  takeDelayReason({ id, partnerId }: DeliveryRow): 'delay' | 'reorder' | null {
    const why = this.#late.get(id) ?? null;
    this.#late.delete(id);
    if (this.#heldBack.get(partnerId) === id) this.#heldBack.delete(partnerId);
    return why;
  }

  /** The delivery that still waits for another of this partner to overtake it, if one does; it waits no longer. */
  takeHeldBack({ partnerId }: DeliveryRow): string | null {
    const held = this.#heldBack.get(partnerId) ?? null;
    this.#heldBack.delete(partnerId);
    return held;
  }
}

function isUsedUp({ times, hits }: WebhookFault): boolean {
  return hits === times;
}

/** The webhook faults of a world. */
export function webhookFaultsOf(world: World): WebhookFaults {
  return world.part(createWebhookFaults);
}

function createWebhookFaults(world: World): WebhookFaults {
  return new WebhookFaults(world);
}
