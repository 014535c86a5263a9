// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

/** The event types of interface section 6.1. */
export type EventType =
  | 'card.transaction'
  | 'card.issued'
  | 'card.status.changed'
  | 'cardholder.kyc.updated'
  | 'cardholder.created'
  | 'balance.low'
  | 'balance.top_up'
  | 'kyc_session.completed'
  | 'kyc_session.failed'
  | 'card.3ds_otp'
  | 'cardholder.approved'
  | 'balance.alert';

/** A partner's webhook configuration (interface section 2.6). */
export interface WebhookConfig {
  /** Where events are sent. Null until it is set, which is assumed. */
  readonly webhookUrl: string | null;
  /** Signing secret for HMAC-SHA256. Null until it is set, which is assumed. */
  readonly webhookSecret: string | null;
  /** Subscribed event types. */
  readonly subscribedEvents: readonly EventType[];
}

/** Where webhooks are forwarded. */
export interface Forwarding {
  /** Receives every webhook; null to use the configured URLs. */
  readonly url: string | null;
  /** Webhooks for URLs below a key go to the same path below its value. The first match applies. */
  readonly map: Readonly<Record<string, string>>;
  /** Whether webhook configurations may use http:// URLs. */
  readonly allowHttp: boolean;
  /** Generated secrets by partner id, of the partners without a configuration of their own. */
  readonly webhookSecrets?: Readonly<Record<string, string>>;
}

/** One attempt of a webhook delivery. */
export interface WebhookAttempt {
  /** ISO 8601 timestamp. */
  readonly at: string;
  /** The actual destination; null if not configured. */
  readonly url: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Status of the response; null without one. */
  readonly status: number | null;
  /** Why it failed, in words; null for a 2xx response. */
  readonly cause: string | null;
  /** Wall time, in milliseconds. */
  readonly durationMs: number;
  /** The webhook fault that affected it. */
  readonly fault: string | null;
  /** Whether it was requested as a redelivery; missing otherwise. */
  readonly redelivery?: true;
  /** Whether it was the additional request of a webhook fault, which counts nowhere; missing otherwise. */
  readonly extra?: true;
}

/** States of a delivery (interface section 3.4). */
export type WebhookStatus = 'pending' | 'delivered' | 'failed';

/** A webhook delivery with all its attempts. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventType: EventType;
  readonly status: WebhookStatus;
  /** Number of attempts made. */
  readonly attemptCount: number;
  /** Time of the latest attempt, ISO 8601. */
  readonly lastAttemptAt: string | null;
  /** Time of the next scheduled retry, ISO 8601; null when none is scheduled. */
  readonly nextRetryAt: string | null;
  /** HTTP status of the latest attempt. */
  readonly lastResponseStatus: number | null;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  /** The JSON body that every attempt sends, secrets masked. */
  readonly payload: string;
  /** The response body of the latest attempt, secrets masked. */
  readonly lastResponseBody: string | null;
  /** The destination; null if not configured. */
  readonly webhookUrl: string | null;
  readonly partnerId: string;
  readonly resourceId: string;
  /** Why it is not delivered, in words. */
  readonly cause: string | null;
  readonly attempts: readonly WebhookAttempt[];
}

/** An event to which no partner is subscribed. */
export interface NotDelivered {
  readonly delivered: false;
  readonly eventId: string;
  /** Why no delivery was created. */
  readonly cause: string;
}

/** The effect of a webhook fault. */
export type WebhookFaultKind =
  | 'duplicate'
  | 'reorder'
  | 'delay'
  | 'drop'
  | 'before_answer'
  | 'unknown_fields'
  | 'unknown_type'
  | 'bad_signature'
  | 'other_secret'
  | 'missing_signature'
  | 'tampered_body'
  | 'stale_timestamp'
  | 'other_partner';

/** A fault of webhook deliveries. */
export interface WebhookFault {
  readonly id: string;
  readonly kind: WebhookFaultKind;
  /** Null for all partners. */
  readonly partnerId: string | null;
  /** Null for all types. */
  readonly eventType: EventType | null;
  /** How often it applies; null until it is deleted. */
  readonly times: number | null;
  /** The delay, or the age of the timestamp; null for the default of the kind. */
  readonly delayMs: number | null;
  /** Sends it as an additional request ahead of the unchanged one; for unknown_fields, unknown_type, bad_signature, other_secret, missing_signature, tampered_body, stale_timestamp, other_partner. */
  readonly extra?: true;
  /** How often it has been applied. */
  readonly hits: number;
}

/** A fault of the API. */
export interface Fault {
  readonly id: string;
  /** The partner whose requests or deliveries it applies to. Default: all. */
  readonly partnerId?: string;
  /** Method of the operations it applies to. Default: all. GET includes HEAD. */
  readonly method?: string;
  /** Path of the operations it applies to, as a pattern with {id}. Default: all. */
  readonly path?: string;
  /** Status of the response. */
  readonly status?: number;
  /** Seconds in `Retry-After`, for a fault with a status; 1 for a 429. */
  readonly retryAfter?: number;
  /** Body of the response: JSON as JSON, a string as text, null for none. */
  readonly body?: unknown;
  /** Delay of the response in wall time, in milliseconds. */
  readonly delayMs?: number;
  /** Adds unknown fields to every object of the response. */
  readonly unknownFields?: true;
  /** Closes the connection without a response. */
  readonly drop?: true;
  /** Whether the fault replaces the handling of the request, or only its response. */
  readonly when: 'before' | 'after';
  /** How many matching requests it lets through first. */
  readonly after: number;
  /** How often it applies. Default: until it is deleted. */
  readonly times?: number;
  /** ISO 8601 timestamp. */
  readonly from?: string;
  /** ISO 8601 timestamp. */
  readonly until?: string;
  /** How often it has been applied. */
  readonly hits: number;
}

/** The rule that decided a response. */
export interface Rule {
  readonly fidelity: 'documented' | 'assumed';
  /** Id of the assumption; null for a documented rule. */
  readonly id: string | null;
  /** Section of the interface that states the rule, or that the assumption fills. */
  readonly section: string;
  readonly decision: string | null;
}

/** An API request in the journal, secrets masked. */
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
    /** By name in lower case; secrets are masked. Not in messages of the stream. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly response: {
    /** By name in lower case; secrets are masked. Not in messages of the stream. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly refusal: string | null;
  readonly rule: Rule | null;
  /** The fault that was applied: its id, or "header"; null for none. */
  readonly fault: string | null;
  /** Whether that fault closed the connection instead of sending the response. */
  readonly dropped: boolean;
  readonly hints: readonly string[];
  readonly changes: readonly {
    readonly kind: string;
    readonly id: string;
    readonly action: 'created' | 'updated' | 'deleted';
    /** The record before, as a state document holds it; null for a new one. Not in messages of the stream. */
    readonly before?: Readonly<Record<string, unknown>> | null;
    /** The record after; null for a deleted one. Not in messages of the stream. */
    readonly after?: Readonly<Record<string, unknown>> | null;
  }[];
  readonly events: readonly {
    readonly id: string;
    readonly eventType: string;
    readonly resourceId: string;
  }[];
}
