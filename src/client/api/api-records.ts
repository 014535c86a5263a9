// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

import type { WebhookStatus } from '../feed-types.ts';
import type { CardholderStatus, KycRejectionReason, Merchant } from '../records.ts';

/** A KYC session that was rejected, and why. */
export interface RejectedKycSession {
  readonly id: string;
  /** The hosted page for the person. */
  readonly url: string;
  readonly status: 'pending' | 'approved' | 'rejected' | 'expired';
  readonly externalUserId: string | null;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  /** ISO 8601 timestamp. */
  readonly expiresAt: string;
  readonly reasons?: readonly KycRejectionReason[];
}

/** A cardholder (interface section 2.1). */
export interface Cardholder {
  readonly id: string;
  readonly externalUserId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** E.164; null if not provided. */
  readonly phoneNumber: string | null;
  /** `idp2` is assumed, see the assumption idp2-variant. */
  readonly kycSource: 'api' | 'idp1' | 'idp2' | 'web';
  readonly kycStatus: 'pending' | 'approved' | 'rejected';
  readonly status: CardholderStatus;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
}

/** A KYC submission (interface section 2.7). */
export interface KycInitiation {
  readonly status: 'pending';
  readonly cardholderId: string;
  readonly cardProgramId: string;
}

/** A card program. */
export interface CardProgram {
  readonly id: string;
  readonly name: string;
  /** Default type of its cards. */
  readonly type: 'virtual' | 'physical';
  readonly brand: 'visa' | 'mastercard';
  /** ISO 4217 code. */
  readonly currency: string;
  readonly status: 'active';
  readonly fees: {
    readonly card_issuance: number;
    readonly transaction_processing: number;
    readonly kyc_verification: number;
  };
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
}

/** A link that shows a card once. */
export interface RevealLink {
  /** The `src` of the iframe: valid once, within 60 seconds. */
  readonly accessUrl: string;
}

/** A fee (interface section 2.4). */
export interface UsageRecord {
  readonly id: string;
  readonly type: 'card_issuance' | 'transaction_processing' | 'kyc_verification';
  /** The fee, in the currency of the card program. */
  readonly amount: number;
  /** Id of the related record; for a card issuance, the card. */
  readonly referenceId: string;
  /** `YYYY-MM`. */
  readonly billingPeriod: string;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
}

/** A delivery in a list of the API. */
export interface WebhookEvent {
  readonly id: string;
  readonly eventType:
    | 'card.transaction'
    | 'card.issued'
    | 'card.status.changed'
    | 'cardholder.kyc.updated'
    | 'cardholder.created'
    | 'balance.low'
    | 'balance.top_up'
    | 'kyc_session.completed'
    | 'kyc_session.failed';
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
}

/** A delivery as the API shows it. */
export interface WebhookEventDetails {
  readonly id: string;
  readonly eventType:
    | 'card.transaction'
    | 'card.issued'
    | 'card.status.changed'
    | 'cardholder.kyc.updated'
    | 'cardholder.created'
    | 'balance.low'
    | 'balance.top_up'
    | 'kyc_session.completed'
    | 'kyc_session.failed';
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
}

/** A 3-D Secure challenge as its cardholder sees it. */
export interface ChallengeDetails {
  readonly challengeId: string;
  readonly status: 'pending' | 'approved' | 'failed';
  readonly attemptsLeft: number;
  readonly cardId: string;
  readonly cardholderId: string;
  readonly amount: number;
  readonly merchant: Merchant;
  /** ISO 8601 timestamp. */
  readonly expiresAt: string;
  /** The passcode, only while the challenge is pending. */
  readonly otp?: string;
}

/** An amount for each window of spending. */
export interface SpendWindows {
  readonly perTransaction: number;
  readonly daily: number;
  readonly monthly: number;
  readonly allTime: number;
}

/** A card (interface sections 2.2 and 2.3). */
export interface Card {
  readonly id: string;
  readonly type: 'virtual' | 'physical';
  readonly brand: 'visa' | 'mastercard';
  readonly status: 'created' | 'active' | 'frozen' | 'cancelled';
  readonly nameOnCard: string;
  /** Caps sales and cash together, over all time. */
  readonly limit: number;
  /** Last four digits of the card number. */
  readonly last4: string;
  readonly programId: string;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  readonly spendControl: {
    readonly sales: SpendWindows;
    readonly cash: SpendWindows;
    /** The amount already spent in each window; `perTransaction` is always 0. */
    readonly spent: {
      readonly sales: SpendWindows;
      readonly cash: SpendWindows;
    };
  };
}

/** A card with what the API does not show: its partner, cardholder and currency. */
export interface CardDetails {
  readonly id: string;
  readonly type: 'virtual' | 'physical';
  readonly brand: 'visa' | 'mastercard';
  readonly status: 'created' | 'active' | 'frozen' | 'cancelled';
  readonly nameOnCard: string;
  /** Caps sales and cash together, over all time. */
  readonly limit: number;
  /** Last four digits of the card number. */
  readonly last4: string;
  readonly programId: string;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  readonly spendControl: {
    readonly sales: SpendWindows;
    readonly cash: SpendWindows;
    /** The amount already spent in each window; `perTransaction` is always 0. */
    readonly spent: {
      readonly sales: SpendWindows;
      readonly cash: SpendWindows;
    };
  };
  readonly partnerId: string;
  readonly cardholderId: string;
  /** ISO 4217 code of its card program. */
  readonly currency: string;
}
