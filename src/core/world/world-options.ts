import type { AssumptionValues } from '../operation/assumption-values.ts';

/** The options of a world. They stay the same across resets. */
export interface WorldOptions {
  /** Seeds every id, name and card number. */
  readonly seed: number;
  /** Sandbox time between a KYC submission and the simulated provider's decision, in milliseconds. */
  readonly kycDelayMs: number;
  /** Default for requests per minute and key, unless the partner's settings set another; 0 is no limit. */
  readonly rateLimitPerMinute: number;
  /** The initial time of the sandbox clock in milliseconds; wall time when undefined. */
  readonly clockStart: number | undefined;
  /** Whether the sandbox clock starts frozen. */
  readonly clockFrozen: boolean;
  /** The length of generated ids with their prefix; null for 16 letters after it. */
  readonly idLength: number | null;
  /** The factor by which the delays of the retry schedule are shortened. */
  readonly retrySpeed: number;
  /** The values of the settable assumptions. */
  readonly assumptions: AssumptionValues;
}
