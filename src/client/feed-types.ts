import type { EventType } from './records.ts';

/** A partner's webhook configuration (interface section 2.6). */
export interface WebhookConfig {
  readonly webhookUrl: string | null;
  readonly webhookSecret: string | null;
  readonly subscribedEvents: readonly EventType[];
}

/** One attempt to deliver a webhook. */
export interface WebhookAttempt {
  readonly at: string;
  /** Where it really went; null when nothing was configured. */
  readonly url: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Status of the answer; null when there was none. */
  readonly status: number | null;
  /** Why it failed, in words; null for a 2xx answer. */
  readonly cause: string | null;
  readonly durationMs: number;
  /** The webhook fault that bent it. */
  readonly fault: string | null;
}

/** States of a delivery (interface section 3.4). */
export type WebhookStatus = 'pending' | 'delivered' | 'failed';

/** A webhook that was or will be delivered, with every attempt. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventType: EventType;
  readonly status: WebhookStatus;
  readonly attemptCount: number;
  readonly lastAttemptAt: string | null;
  readonly nextRetryAt: string | null;
  readonly lastResponseStatus: number | null;
  readonly createdAt: string;
  /** The JSON body that was or will be sent, secrets masked. */
  readonly payload: string;
  readonly lastResponseBody: string | null;
  readonly webhookUrl: string | null;
  readonly partnerId: string;
  /** The record that the event is about. */
  readonly resourceId: string;
  /** Why it is not delivered, in words. */
  readonly cause: string | null;
  readonly attempts: readonly WebhookAttempt[];
}

/** An event that was raised and that nobody is subscribed to. */
export interface NotDelivered {
  readonly delivered: false;
  readonly eventId: string;
  readonly cause: string;
}

/** What bends a webhook delivery. */
export type WebhookFaultKind =
  | 'duplicate'
  | 'reorder'
  | 'delay'
  | 'drop'
  | 'bad_signature'
  | 'stale_timestamp';

/** A fault of coming webhook deliveries. */
export interface WebhookFault {
  readonly id: string;
  readonly kind: WebhookFaultKind;
  /** Null for all types. */
  readonly eventType: EventType | null;
  /** How often it acts; null for until it is cleared. */
  readonly times: number | null;
  readonly delayMs: number | null;
  /** How often it has acted. */
  readonly hits: number;
}

/** What a fault of the API does, and to which requests. */
export interface FaultInput {
  /** Method of the operations it acts on; all when left out. */
  readonly method?: string;
  /** Path of the operations it acts on, as a pattern with {id}; all when left out. */
  readonly path?: string;
  /** Status that is answered. */
  readonly status?: number;
  /** Seconds in `Retry-After`. */
  readonly retryAfter?: number;
  /** Body that is answered: JSON as JSON, a text as it is, null for none. */
  readonly body?: unknown;
  /** Wall time by which the answer comes late. */
  readonly delayMs?: number;
  /** Closes the connection without an answer. */
  readonly drop?: true;
  /** Whether it takes the place of the request, which is the default, or only of its answer. */
  readonly when?: 'before' | 'after';
  /** How many matching requests are let through first. */
  readonly after?: number;
  /** How often it acts; until it is removed when left out. */
  readonly times?: number;
}

/** A fault of the API. */
export interface Fault extends FaultInput {
  readonly id: string;
  /** How often it has acted. */
  readonly hits: number;
  readonly when: 'before' | 'after';
  readonly after: number;
}

/** What an answer rests on. */
export interface Rule {
  readonly fidelity: 'documented' | 'assumed';
  /** Entry in the register of assumptions; null for a documented rule. */
  readonly id: string | null;
  readonly section: string;
  readonly decision: string | null;
}

/** An API request of the journal, secrets masked. */
export interface JournalEntry {
  readonly id: string;
  /** Sandbox time, ISO 8601. */
  readonly at: string;
  readonly partnerId: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly operation: string | null;
  readonly pattern: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly request: {
    readonly contentType: string | null;
    readonly remoteAddress: string;
    readonly body: string;
  };
  readonly response: { readonly body: string };
  readonly refusal: string | null;
  /** What decided a refusal. */
  readonly rule: Rule | null;
  /** The fault that acted: its id, or "header"; null for none. */
  readonly fault: string | null;
  readonly dropped: boolean;
  readonly hints: readonly string[];
  readonly changes: readonly {
    readonly kind: string;
    readonly id: string;
    readonly action: 'created' | 'updated';
  }[];
  readonly events: readonly {
    readonly id: string;
    readonly eventType: string;
    readonly resourceId: string;
  }[];
}
