import type { ActingFault } from '../faults/effect-schema.ts';
import type { Trace } from '../journal/events.ts';
import type { ApiRequest, ApiResponse } from '../request/http.ts';

/** A request to the API, as far as it is known before it is handled. */
export interface DisturbedRequest {
  readonly request: ApiRequest;
  readonly operation: string | null;
  readonly partnerId: string;
}

export interface HandledCall {
  readonly request: ApiRequest;
  readonly operation: string | null;
  /** Null for a caller that is not known. */
  readonly partnerId: string | null;
  readonly fault: ActingFault | null;
  readonly response: ApiResponse;
  /** Whether the operation refused the request, whatever a fault made of its response. */
  readonly isRefused: boolean;
  readonly trace: Trace;
}

export interface ActingWebhookFault<Kind extends string> {
  readonly kind: Kind;
  /** Null for the default of the kind. */
  readonly delayMs: number | null;
}

export interface DisturbedDelivery {
  readonly id: string;
  readonly partnerId: string;
  readonly eventType: string;
  readonly body: string;
}

export interface EndedAttempt {
  readonly status: number | null;
  readonly cause: string | null;
  /** Status of the response to the second request of a `duplicate`. */
  readonly repeatStatus?: number | null | undefined;
  readonly extra?: true | undefined;
  readonly redelivery?: true | undefined;
}

export interface CreatedRecord {
  readonly kind: string;
  readonly id: string;
  /** Id of the record that it belongs to: the cardholder of a card, or the partner. */
  readonly owner: string;
  /** The name of that record that its partner gave it, or its id. */
  readonly ownerName: string;
  /** What the same request, sent again, would say again. */
  readonly content: Readonly<Record<string, unknown>>;
}

export interface RequestNotes {
  /** The ids of what struck the request, or shows in its response. */
  readonly struck: readonly string[];
  readonly created: readonly CreatedRecord[];
  readonly undone: readonly string[];
}

/**
 * What a world is armed with when it is made: it acts on requests and webhooks on which no fault of the user acts. It
 * belongs to the world and not to its state, so that no reset, loaded state or list of faults ends it or shows it.
 */
export interface Disturbance<State> {
  /**
   * Whether the webhooks of a partner are sent one after the other, each once the one before and what repeats it have arrived.
   * A test that waits for a state must not find it before anything has been repeated.
   */
  readonly sendsInTurn: boolean;
  /** Called before a request is authenticated. */
  beforeRequest(state: State, request: ApiRequest): void;
  faultFor(state: State, call: DisturbedRequest): ActingFault | null;
  /** Called for each request once its response has been made. */
  afterRequest(state: State, call: HandledCall): RequestNotes;
  /** Called for each call of the control plane and each form of a page. Returns null if there is nothing to note. */
  afterControl(): RequestNotes | null;
  /** Returns the fault of one of these kinds that acts on a delivery, or on an additional request beside it to `receiver`. */
  webhookFaultFor<Kind extends string>(
    state: State,
    delivery: DisturbedDelivery,
    kinds: readonly Kind[],
    receiver?: string,
  ): ActingWebhookFault<Kind> | undefined;
  /** Called for each webhook attempt that has ended. Returns the ids of what struck it. */
  afterAttempt(state: State, delivery: DisturbedDelivery, attempt: EndedAttempt): readonly string[];
}
