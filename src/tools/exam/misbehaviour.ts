import type { EventType, FaultInput, WebhookFaultInput } from '../../client/generated/records.ts';
import type { Duration } from '../../core/values/duration.ts';

/**
 * What a misbehaviour is. A sound integration survives a benign one as if nothing had happened, and refuses the forged
 * webhooks of a malign one.
 */
export type Kind = 'benign' | 'malign';

/** An operation of the API, as far as an exam needs it. */
export interface ExamOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The operation with which code waits for a decision about KYC. */
export const READ_OF_PERSON = 'cardholders.get';

/** An option that a misbehaviour changes unless it has been set. */
export type OwnOption = 'clock' | 'kycDelay';

/** What a command did in a sandbox without a misbehaviour. It decides which misbehaviours can be triggered. */
export interface ExamHistory {
  /** The operations that it called, in the order of the first calls. */
  readonly called: readonly ExamOperation[];
  /** The types of the webhooks that its receiver got, in the order of the first ones. */
  readonly webhooks: readonly EventType[];
  /** Whether `sandbox.api` called the API beside the client of an app, for the tests themselves. */
  readonly usesLibrary: boolean;
  /** Whether the clock of a sandbox was frozen, so that what is delayed on it waits until the command advances it. */
  readonly isFrozen: boolean;
  /** The options that the tests, or the flags of the exam, set: they cannot be others. */
  readonly ownOptions: readonly OwnOption[];
  /** Whether a cardholder was read more than once while its KYC was pending, as by code that waits for a decision. */
  readonly waitsForKyc: boolean;
}

/** A person in a crowd. What is left out is generated. */
export interface Person {
  readonly firstName?: string;
  readonly lastName?: string;
}

/** A fault of an exam. */
export interface ExamFault extends FaultInput {
  /** How long it goes on striking after it has struck first, in milliseconds of wall time, or until `times` are used up. */
  readonly lastsMs?: number;
}

/** How a misbehaviour changes a sandbox before and while a command uses it. It is data, so that it can be passed on. */
export interface Disturbance {
  readonly faults?: readonly ExamFault[];
  readonly webhookFaults?: readonly WebhookFaultInput[];
  /** Leaves alone the requests of `sandbox.api`. */
  readonly sparesLibrary?: true;
  /** Options of the sandbox that replace others. */
  readonly options?: { readonly clock?: string; readonly idLength?: number };
  /** How long a decision about KYC takes, as a duration. */
  readonly kycDelay?: Duration;
  /** The names of the people that the sandbox generates. */
  readonly people?: readonly { readonly firstName: string; readonly lastName: string }[];
  /** Variables in the environment of the command that it does not set itself. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The content of a fixture that is added to the others. */
  readonly fixture?: Readonly<Record<string, unknown>>;
  /** Rotates the API key of every partner; the old ones work until their grace period ends. */
  readonly rotatesKeys?: true;
  /** Sends each webhook again once a later one of its partner has been delivered. */
  readonly repeatsWebhooks?: true;
  /**
   * Creates these people, each with a card, after the first cardholder and the first card of the command. No webhook
   * reports them.
   */
  readonly crowd?: readonly Person[];
}

/** A failure that a healthy service can produce, or a forgery that anyone can send. */
export interface Misbehaviour {
  readonly id: string;
  readonly kind: Kind;
  /** Why it happens in the real world. */
  readonly why: string;
  /** What a sound integration does. */
  readonly sound: string;
  /** Returns the disturbance, or the reason why the misbehaviour cannot be triggered after this history. */
  disturb(history: ExamHistory): Disturbance | string;
}

/** A misbehaviour that a sound integration survives. */
export type BenignMisbehaviour = Omit<Misbehaviour, 'kind'>;

/** Builds the disturbance of the called operations, or says that none was called. */
export function disturbCalls(
  change: (called: ExamHistory['called']) => Disturbance,
): Misbehaviour['disturb'] {
  return ({ called }) => (called.length === 0 ? 'no operation of the API was called' : change(called));
}
