import type { Duration } from '../core/values/duration.ts';
import type { DeliveryLogEntry, RequestLogEntry } from '../sandbox/log-entries.ts';

export type { DeliveryLogEntry, RequestLogEntry };

/** A sandbox in this process, as an attendant reaches it. */
export interface AttendedSandbox {
  /** Whether its clock is frozen at the start. */
  readonly isFrozen: boolean;
  /**
   * Calls the control plane synchronously, so that no request comes in between. Returns the body of the response, and
   * throws an error when the sandbox refuses.
   */
  control(method: string, path: string, body?: object): unknown;
  /** Calls the control plane without a body, and waits for no response. */
  start(method: string, path: string): void;
  /** Returns monotonic wall time in milliseconds. */
  elapsed(): number;
  /** Calls `listener` after some milliseconds of wall time. */
  after(ms: number, listener: () => void): void;
  /** Calls `listener` when the clock is frozen, and when the world is replaced. */
  subscribe(listener: (change: 'freeze' | 'reset') => void): void;
}

/** Attends a sandbox in this process: sees its requests and webhooks, and changes it through its control plane. */
export interface Attendant {
  /** Options of the sandbox that replace its defaults. */
  readonly options?:
    | { readonly clock?: string; readonly idLength?: number; readonly kycDelay?: Duration }
    | undefined;
  /** The content of a fixture that is added to the others, unless it does not fit them. */
  readonly fixture?: Readonly<Record<string, unknown>> | undefined;
  /** The names of the people that the sandbox generates. */
  readonly people?: readonly { readonly firstName: string; readonly lastName: string }[] | undefined;
  /** Called for every API request once it has its response. */
  onResponse(entry: RequestLogEntry): void;
  /** Called for every webhook attempt that has ended, and for every event that could not be sent. */
  onDelivery(entry: DeliveryLogEntry): void;
  /** Called once, when the sandbox has been created. */
  attach(sandbox: AttendedSandbox): void;
}

/** Returns the attendant of a sandbox that this process creates with these options, or null when it has none. */
export type Attend = (
  options: { readonly clock?: string | undefined; readonly kycDelay?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
) => Attendant | null;
