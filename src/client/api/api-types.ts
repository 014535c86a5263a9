// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

import type { EventType, WebhookConfig, WebhookStatus } from '../feed-types.ts';
import type { CreateCardholderRequest, IssueCardRequest } from '../inputs.ts';
import type { Balance, CardholderStatus, KycSession, Transaction } from '../records.ts';
import type {
  Card,
  Cardholder,
  CardProgram,
  KycInitiation,
  RevealLink,
  UsageRecord,
  WebhookEvent,
  WebhookEventDetails,
} from './api-records.ts';

/** The operations of the API, as calls of one partner. Each resolves with the body of the response. */
export interface Api {
  readonly cardholders: {
    /** Create a cardholder, or re-import KYC onto an existing one: `POST /v1/partner/cardholders`. */
    create(body: CreateCardholderRequest): Promise<Cardholder>;
    /** Submit a cardholder's KYC to the card provider: `POST /v1/partner/cardholders/{id}/kyc`. */
    initiateKyc(
      id: string,
      body: {
        readonly cardProgramId: string;
      },
    ): Promise<KycInitiation>;
    /** Get a cardholder: `GET /v1/partner/cardholders/{id}`. */
    get(id: string): Promise<Cardholder>;
    /** List cardholders: `GET /v1/partner/cardholders`. */
    list(query?: {
      /** Page number, counted from 1. */
      readonly page?: number;
      /** Rows on a page. */
      readonly limit?: number;
      readonly status?: CardholderStatus;
      readonly kycStatus?: 'pending' | 'approved' | 'rejected';
      readonly externalUserId?: string;
      /** Not case-sensitive, unless the setting `email-comparison` says otherwise. */
      readonly email?: string;
    }): Promise<{
      /** Newest first, unless the setting `list-order` says otherwise. */
      readonly data: readonly Cardholder[];
      /** Rows that match, on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    }>;
  };
  readonly kycSessions: {
    /** Open a KYC session on the hosted page: `POST /v1/partner/kyc-sessions`. */
    create(body?: {
      readonly externalUserId?: string;
      /** Where the hosted page redirects after the decision. */
      readonly redirectUrl?: string;
    }): Promise<KycSession>;
    /** Get a KYC session: `GET /v1/partner/kyc-sessions/{id}`. */
    get(id: string): Promise<KycSession>;
  };
  readonly cardPrograms: {
    /** List card programs: `GET /v1/partner/card-programs`. */
    list(query?: {
      /** Page number, counted from 1. */
      readonly page?: number;
      /** Rows on a page. */
      readonly limit?: number;
    }): Promise<{
      /** Newest first, unless the setting `list-order` says otherwise. */
      readonly data: readonly CardProgram[];
      /** Rows that match, on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    }>;
    /** Get a card program: `GET /v1/partner/card-programs/{id}`. */
    get(id: string): Promise<CardProgram>;
  };
  readonly cards: {
    /** List cards: `GET /v1/partner/cards`. */
    list(query?: {
      /** Page number, counted from 1. */
      readonly page?: number;
      /** Rows on a page. */
      readonly limit?: number;
      readonly status?: 'created' | 'active' | 'frozen' | 'cancelled';
      readonly cardholderId?: string;
    }): Promise<{
      /** Newest first, unless the setting `list-order` says otherwise. */
      readonly data: readonly Card[];
      /** Rows that match, on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    }>;
    /** Issue a card: `POST /v1/partner/cards`. */
    issue(body: IssueCardRequest): Promise<Card>;
    /** Get a card: `GET /v1/partner/cards/{id}`. */
    get(id: string): Promise<Card>;
    /** Activate a card: `POST /v1/partner/cards/{id}/activate`. */
    activate(id: string): Promise<Card>;
    /** Freeze a card: `POST /v1/partner/cards/{id}/freeze`. */
    freeze(id: string): Promise<Card>;
    /** Unfreeze a card: `POST /v1/partner/cards/{id}/unfreeze`. */
    unfreeze(id: string): Promise<Card>;
    /** Cancel a card for good: `POST /v1/partner/cards/{id}/cancel`. */
    cancel(id: string): Promise<Card>;
    /** Get a URL that shows a card once, for an iframe: `POST /v1/partner/cards/{id}/reveal-html`. */
    reveal(
      id: string,
      body?: {
        /** A style sheet for the card view. */
        readonly stylesheetUrl?: string;
        /** Whether the card view has a button that copies the number. */
        readonly copyPan?: boolean;
      },
    ): Promise<RevealLink>;
  };
  readonly transactions: {
    /** List transactions: `GET /v1/partner/transactions`. */
    list(query?: {
      /** Page number, counted from 1. */
      readonly page?: number;
      /** Rows on a page. */
      readonly limit?: number;
      /** Earliest `createdAt`, inclusive, ISO 8601. */
      readonly from?: string;
      /** Latest `createdAt`, inclusive, ISO 8601. */
      readonly to?: string;
      readonly cardId?: string;
      readonly status?: 'authorized' | 'declined' | 'settled' | 'reversed';
    }): Promise<{
      /** Newest first, unless the setting `list-order` says otherwise. */
      readonly data: readonly Transaction[];
      /** Rows that match, on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    }>;
    /** Get a transaction: `GET /v1/partner/transactions/{id}`. */
    get(id: string): Promise<Transaction>;
  };
  readonly balance: {
    /** Get the balance: `GET /v1/partner/balance`. */
    get(): Promise<Balance>;
  };
  readonly usage: {
    /** List usage records: `GET /v1/partner/usage/records`. */
    list(query?: {
      /** Page number, counted from 1. */
      readonly page?: number;
      /** Rows on a page. */
      readonly limit?: number;
      /** Earliest `createdAt`, inclusive, ISO 8601. */
      readonly from?: string;
      /** Latest `createdAt`, inclusive, ISO 8601. */
      readonly to?: string;
      readonly billingPeriod?: string;
      readonly type?: 'card_issuance' | 'transaction_processing' | 'kyc_verification';
    }): Promise<{
      /** Newest first, unless the setting `list-order` says otherwise. */
      readonly data: readonly UsageRecord[];
      /** Rows that match, on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    }>;
  };
  readonly webhooks: {
    /** Get the webhook configuration: `GET /v1/partner/webhooks/config`. */
    getConfig(): Promise<WebhookConfig>;
    /** Change the webhook configuration: `PATCH /v1/partner/webhooks/config`. */
    updateConfig(body?: {
      /** An absolute https:// URL. Null clears it, which is assumed. */
      readonly webhookUrl?: string | null;
      readonly webhookSecret?: string;
      readonly subscribedEvents?: readonly EventType[];
    }): Promise<WebhookConfig>;
    /** List webhook delivery events: `GET /v1/partner/webhooks/events`. */
    listEvents(query?: {
      /** Page number, counted from 1. */
      readonly page?: number;
      /** Rows on a page. */
      readonly limit?: number;
      readonly status?: WebhookStatus;
      readonly eventType?: EventType;
      /** Earliest `createdAt`, inclusive, ISO 8601. */
      readonly from?: string;
      /** Latest `createdAt`, inclusive, ISO 8601. */
      readonly to?: string;
    }): Promise<{
      /** Newest first, unless the setting `list-order` says otherwise. */
      readonly data: readonly WebhookEvent[];
      /** Rows that match, on all pages. */
      readonly total: number;
      readonly page: number;
      readonly limit: number;
    }>;
    /** Get a webhook delivery event with its payload: `GET /v1/partner/webhooks/events/{eventId}`. */
    getEvent(eventId: string): Promise<WebhookEventDetails>;
    /** Retry a failed webhook delivery event: `POST /v1/partner/webhooks/events/{eventId}/retry`. */
    retryEvent(eventId: string): Promise<WebhookEventDetails>;
  };
}
