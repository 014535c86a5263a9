import type { EventType } from '../../client/generated/records.ts';
import type { Disturbance, DisturbancePlan } from '../../sandbox/disturbance/plan.ts';

export type { Disturbance, DisturbancePlan };

/**
 * What a misbehaviour is: something that a healthy service and network can do, which a sound integration survives as if
 * nothing had happened, or webhooks that anyone can send, which it refuses.
 */
export type Kind = 'benign' | 'forged';

export interface ExamOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The most records on a page of a list (interface section 8). */
export const MAX_PAGE_ROWS = 100;

export const READ_OF_PERSON = 'cardholders.get';

/** An option that a misbehaviour changes unless it has been set. */
export type OwnOption = 'clock' | 'kycDelay';

/** What a command did in a sandbox without a misbehaviour. It decides which misbehaviours can be triggered. */
export interface ExamHistory {
  readonly called: readonly ExamOperation[];
  /** The types of the webhooks that its receiver got, in the order of the first ones. */
  readonly webhooks: readonly EventType[];
  /** Those of them of which it accepted one. */
  readonly acceptedWebhooks: readonly EventType[];
  readonly hasSeveralWebhooks: boolean;
  /** The lists that it read without a filter that leaves out other people's records. */
  readonly openLists: readonly string[];
  /** Whether `sandbox.api` called the API beside the client of an app, for the tests themselves. */
  readonly usesLibrary: boolean;
  /** How the clocks of its worlds went: they ran, they were frozen, or one was frozen after it had run. */
  readonly clocks: readonly ClockMode[];
  /** The options that every world set: they cannot be others. */
  readonly ownOptions: readonly OwnOption[];
  /** The clocks of the worlds in which a cardholder was read more than once while its KYC was pending, as by code that waits. */
  readonly waitsForKyc: readonly ClockMode[];
}

export type ClockMode = 'running' | 'frozen' | 'both';

/** A failure that a healthy service can produce, or a forgery that anyone can send. */
export interface Misbehaviour {
  readonly id: string;
  readonly kind: Kind;
  readonly why: string;
  readonly sound: string;
  /** Returns the disturbance, or the reason why the misbehaviour cannot be triggered after this history. */
  disturb(history: ExamHistory): Disturbance | string;
}

export type BenignMisbehaviour = Omit<Misbehaviour, 'kind'>;

/** Builds the disturbance of the called operations, or says that none was called. */
export function disturbCalls(
  change: (called: ExamHistory['called']) => Disturbance,
): Misbehaviour['disturb'] {
  return ({ called }) => (called.length === 0 ? 'no operation of the API was called' : change(called));
}
