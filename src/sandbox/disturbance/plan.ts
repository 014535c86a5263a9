import type { FaultEffect } from '../../core/faults/effect-schema.ts';
import type { Duration } from '../../core/values/duration.ts';
import type { PersonName } from '../../core/world/world-state.ts';
import type { EventType } from '../../service/webhooks/event-types.ts';
import type { WebhookFaultKind } from '../../service/webhooks/fault-kinds.ts';

/** A fault of the API. It applies to every request unless it says otherwise. */
export interface DisturbingFault extends Partial<FaultEffect> {
  /** The ids of the operations that it applies to, `REIMPORT` among them. */
  readonly operations?: readonly string[];
  readonly method?: string;
  /** How often it applies in each world. */
  readonly times?: number;
  /** How long it applies after its first time in a world, in milliseconds of wall time. */
  readonly lastsMs?: number;
  /** Changes a response that the sandbox has made, beside all others that do, and beside a delay. */
  readonly ridesAlong?: true;
}

/** A webhook fault. It applies to every delivery unless it says otherwise. */
export interface DisturbingWebhookFault {
  readonly kind: WebhookFaultKind;
  readonly eventType?: EventType;
  readonly times?: number;
  readonly delayMs?: number;
  /** Sends what it makes as an additional request ahead of the unchanged one. */
  readonly extra?: true;
  /** Applies only while the clock runs: a frozen one may never reach the time of what waits. */
  readonly whileRunning?: true;
}

/** A person in a crowd. What is left out is generated. */
export type PersonInCrowd = Partial<PersonName>;

/** What changes a world, from its start on. All of it is data, so that other processes can be given it. */
export interface Disturbance {
  readonly faults?: readonly DisturbingFault[];
  readonly webhookFaults?: readonly DisturbingWebhookFault[];
  /** Leaves alone the requests of `sandbox.api` and of commands. */
  readonly sparesLibrary?: true;
  /** Options of worlds that do not set them. */
  readonly options?: { readonly clock?: string; readonly idLength?: number };
  /** How long a decision about KYC takes, in worlds that do not set it. */
  readonly kycDelay?: Duration;
  readonly people?: readonly PersonName[];
  /** The content of a fixture whose records each world has beside its own. */
  readonly fixture?: Readonly<Record<string, unknown>>;
  /** Whether the amounts in the fixture are what is unusual: its cardholders, which have none, do not show it. */
  readonly showsInAmounts?: true;
  /** Issues a new key when a partner sends its first request; the old one works until its grace period ends. */
  readonly rotatesKeys?: true;
  /** Sends each webhook again once a later one of its partner has been delivered. */
  readonly repeatsWebhooks?: true;
  /**
   * Adds these people, each with a card, after the first cardholder and the first card that a partner creates. No webhook
   * reports them.
   */
  readonly crowd?: readonly PersonInCrowd[];
}

/** The disturbances of all worlds, each with the id that marks what it strikes. */
export type DisturbancePlan = readonly (Disturbance & { readonly id: string })[];
