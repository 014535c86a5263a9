// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

import type { SpendWindows } from './api/api-records.ts';
import type { EventType, WebhookFaultKind, WebhookStatus } from './feed-types.ts';
import type { Identity, KycOutcome, KycRejectionReason } from './records.ts';

/** The share token to mint; every member has a default. */
export interface ShareTokenRequest {
  /** Default: the first partner. */
  readonly partnerId?: string;
  readonly source?: 'idp1' | 'idp2';
  readonly outcome?: KycOutcome;
  readonly identity?: Partial<Identity>;
  readonly expiresIn?: string;
}

/** A decision about a KYC session. */
export interface KycSessionDecision {
  readonly identity?: Partial<Identity>;
}

/** A rejection of a KYC session. */
export interface KycSessionRejection {
  /** Without effect: a rejected session has no identity. */
  readonly identity?: Partial<Identity>;
  /** Why it is rejected. The API and webhooks never contain it. */
  readonly reasons?: readonly KycRejectionReason[];
}

/** A rejection of a KYC submission. */
export interface KycRejection {
  /** Why it is rejected. The API and webhooks never contain it. */
  readonly reasons?: readonly KycRejectionReason[];
}

/** The cardholder to create or re-import. */
export type CreateCardholderRequest =
  | {
      readonly externalUserId: string;
      readonly email: string;
      readonly phoneNumber: string;
      readonly kycSource: 'web';
      /** Id of an approved KYC session. */
      readonly kycSessionId: string;
    }
  | {
      readonly externalUserId: string;
      readonly email: string;
      readonly phoneNumber: string;
      readonly kycSource: 'idp1';
      /** Single-use. Besides minted tokens, any string `<source>_test_<approve|reject|manual>_<anything>` is valid once. */
      readonly idp1ShareToken: string;
      readonly residenceCountryCode?: string;
      readonly residenceStateProvince?: string;
      readonly residenceCity?: string;
      readonly residenceAddressDetail?: string;
      readonly postalCode?: string;
    }
  | {
      readonly externalUserId: string;
      readonly email: string;
      readonly phoneNumber: string;
      readonly kycSource: 'idp2';
      /** Single-use. Besides minted tokens, any string `<source>_test_<approve|reject|manual>_<anything>` is valid once. */
      readonly idp2ShareToken: string;
      readonly residenceCountryCode?: string;
      readonly residenceStateProvince?: string;
      readonly residenceCity?: string;
      readonly residenceAddressDetail?: string;
      readonly postalCode?: string;
    };

/** The card to issue. */
export interface IssueCardRequest {
  readonly cardholderId: string;
  readonly cardProgramId: string;
  readonly type?: 'virtual' | 'physical';
  readonly nameOnCard?: string;
  readonly limit?: number;
  readonly spendControl?: {
    readonly sales?: Partial<SpendWindows>;
    readonly cash?: Partial<SpendWindows>;
  };
}

/** The card to issue and activate. */
export interface IssueActiveCardRequest {
  readonly cardholderId: string;
  /** Default: the partner's first card program. */
  readonly cardProgramId?: string;
  readonly type?: 'virtual' | 'physical';
  readonly nameOnCard?: string;
  readonly limit?: number;
  readonly spendControl?: {
    readonly sales?: Partial<SpendWindows>;
    readonly cash?: Partial<SpendWindows>;
  };
  /** Activates the card; false leaves it in status created. */
  readonly activate?: boolean;
  /** Default: the cardholder's partner. */
  readonly partnerId?: string;
}

/** The limits of a card to change. */
export interface CardLimits {
  readonly limit?: number;
  readonly spendControl?: {
    readonly sales?: Partial<SpendWindows>;
    readonly cash?: Partial<SpendWindows>;
  };
}

/** The effect of a fault of the API, and the requests that it matches. */
export interface FaultInput {
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
  readonly when?: 'before' | 'after';
  /** How many matching requests it lets through first. */
  readonly after?: number;
  /** How often it applies. Default: until it is deleted. */
  readonly times?: number;
  /** Moment of the sandbox clock from which on it applies, ISO 8601. */
  readonly from?: string;
  /** Moment of the sandbox clock at which it ends, ISO 8601. */
  readonly until?: string;
}

/** The partner to add; every member has a default. */
export interface NewPartnerRequest {
  /** Default: the id of the partner. */
  readonly name?: string;
  /** Name of a fixture whose first partner's records it gets. Default: empty, a card program only. */
  readonly fixture?: string;
}

/** How to rotate an API key. */
export interface RotateKeyRequest {
  readonly gracePeriod?: string;
}

/** The world to create; every member has a default. */
export interface NewWorldRequest {
  /** Default: generated. */
  readonly id?: string;
  /** Names of built-in fixtures, and objects with the content of fixture files. */
  readonly fixtures?: readonly (string | Readonly<Record<string, unknown>>)[];
  readonly seed?: number;
  /** Initial time of the clock, ISO 8601. */
  readonly clock?: string;
  readonly freeze?: boolean;
  readonly retrySpeed?: number;
  /** A duration, such as `2s`. */
  readonly kycDelay?: string;
  /** Length of generated ids with their prefix, from 24 to 255. */
  readonly idLength?: number;
  readonly rateLimit?: number;
  readonly allowHttpWebhooks?: boolean;
  readonly forwardTo?: string;
  /** Settings by name, as GET /_sandbox/assumptions lists them. */
  readonly assume?: Readonly<Record<string, string | number | boolean>>;
  /** Id of a world to copy as it is now. */
  readonly from?: string;
  /** A document from GET /_sandbox/state; a large one is for PUT /_sandbox/worlds/{world}/state. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Wall time without a request after which the world ends, such as `1h`; `0` for never. */
  readonly ttl?: string;
}

/** Where to forward webhooks; an omitted member is as at the start. */
export interface ForwardingRequest {
  /** Send every webhook to this URL instead of the configured one; null for none. */
  readonly url?: string | null;
  /** Send webhooks for URLs below a key to the same path below its value. */
  readonly map?: Readonly<Record<string, string>>;
  /** Accept http:// webhook URLs. */
  readonly allowHttp?: boolean;
}

/** The event to raise. */
export interface EventRequest {
  readonly eventType: EventType;
  /** Default: the first partner. */
  readonly partnerId?: string;
  /** Id of the record that it is about. Default: the newest of the right kind; if there is none, one is made. */
  readonly resourceId?: string;
  /** Fields of its data to replace. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The effect of a webhook fault, and the deliveries that it matches. */
export interface WebhookFaultInput {
  readonly kind: WebhookFaultKind;
  /** The partner whose requests or deliveries it applies to. Default: all. */
  readonly partnerId?: string;
  readonly eventType?: EventType;
  readonly times?: number;
  readonly delayMs?: number;
  /** Sends it as an additional request ahead of the unchanged one; for unknown_fields, unknown_type, bad_signature, other_secret, missing_signature, tampered_body, stale_timestamp, other_partner. */
  readonly extra?: true;
}

/** Which deliveries to return; an omitted member matches all. */
export interface WebhookFilter {
  readonly eventType?: EventType;
  readonly status?: WebhookStatus;
  /** Id of the record that the event is about. */
  readonly resourceId?: string;
  /** Default: all partners. */
  readonly partnerId?: string;
}
