// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

/** The decision of the simulated provider; `manual` waits for a decision of the test. */
export type KycOutcome = 'approve' | 'reject' | 'manual';

/** The address of a person (interface section 4.1). */
export interface Address {
  readonly residenceCountryCode?: string;
  readonly residenceStateProvince?: string;
  readonly residenceCity?: string;
  readonly residenceAddressDetail?: string;
  readonly postalCode?: string;
}

/** The data that a KYC source has about a person. */
export interface Identity {
  readonly firstName: string;
  readonly lastName: string;
  readonly residenceCountryCode?: string;
  readonly residenceStateProvince?: string;
  readonly residenceCity?: string;
  readonly residenceAddressDetail?: string;
  readonly postalCode?: string;
}

/** Why KYC was rejected. */
export type KycRejectionReason =
  | 'document_expired'
  | 'document_unreadable'
  | 'selfie_mismatch'
  | 'name_mismatch'
  | 'underage'
  | 'sanctions_hit'
  | 'duplicate_identity'
  | 'other';

/** The state of the sandbox clock. */
export interface ClockState {
  /** ISO 8601 timestamp. */
  readonly now: string;
  readonly mode: 'running' | 'frozen';
  readonly pendingTimers: number;
}

/** A share token. */
export interface ShareToken {
  readonly token: string;
  readonly partnerId: string;
  readonly source: 'idp1' | 'idp2';
  readonly outcome: KycOutcome;
  readonly identity: Identity;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  /** Null for a token that does not expire. */
  readonly expiresAt: string | null;
  /** The cardholder it was used for. */
  readonly usedBy: string | null;
}

/** A KYC session. */
export interface KycSession {
  readonly id: string;
  /** The hosted page for the person. */
  readonly url: string;
  readonly status: 'pending' | 'approved' | 'rejected' | 'expired';
  readonly externalUserId: string | null;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  /** ISO 8601 timestamp. */
  readonly expiresAt: string;
}

/** States of a cardholder (interface section 3.1). */
export type CardholderStatus = 'active' | 'suspended' | 'closed';

/** A cardholder with what the API does not show: its partner, address, KYC state and why a re-import is refused. */
export interface CardholderDetails {
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
  readonly partnerId: string;
  readonly address: Address;
  readonly kyc: {
    readonly state: 'not_submitted' | 'in_flight' | 'approved' | 'rejected';
    /** What the simulated provider decides. */
    readonly outcome: string;
    readonly cardProgramId: string | null;
    readonly submittedAt: string | null;
    readonly decidedAt: string | null;
    /** Why the submission was rejected, if reasons were given. */
    readonly reasons?: readonly KycRejectionReason[];
  };
  readonly lockReason: 'provider_submitted' | 'card_issued' | null;
}

/** Where a card is used. */
export interface Merchant {
  readonly name: string;
  /** Merchant category code, four digits. */
  readonly mcc: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Why an authorization is declined. */
export type DeclineReason =
  | 'card_not_activated'
  | 'card_frozen'
  | 'card_cancelled'
  | 'card_expired'
  | 'cardholder_inactive'
  | 'spend_limit_exceeded'
  | 'card_limit_exceeded'
  | 'insufficient_funds'
  | 'merchant_category_not_allowed'
  | 'country_not_allowed'
  | 'incorrect_pin'
  | 'incorrect_cvv'
  | 'three_ds_failed'
  | 'suspected_fraud'
  | 'do_not_honor';

/** The limit that an authorization would have exceeded. */
export type DeclineDetail =
  | {
      readonly kind: 'sales' | 'cash';
      readonly window: 'perTransaction' | 'daily' | 'monthly' | 'allTime';
      readonly limit: number;
      /** Before this authorization. */
      readonly spent: number;
    }
  | {
      readonly limit: number;
      /** Before this authorization. */
      readonly spent: number;
    };

/** A card transaction. */
export interface Transaction {
  readonly id: string;
  readonly cardId: string;
  readonly cardholderId: string;
  readonly type: 'sale' | 'cash';
  readonly status: 'authorized' | 'declined' | 'settled' | 'reversed';
  /** The requested amount, changed by increments and partial reversals of the authorization. */
  readonly amount: number;
  /** Null unless the transaction is settled. Can exceed the amount. */
  readonly settledAmount: number | null;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly merchant: Merchant;
  readonly declineReason: DeclineReason | null;
  /** Null unless the reason is spend_limit_exceeded or card_limit_exceeded. */
  readonly declineDetail: DeclineDetail | null;
  /** Null unless the transaction is reversed. An authorization reverses itself when it expires. */
  readonly reversalReason: 'expired' | 'merchant' | null;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  /** ISO 8601 timestamp. */
  readonly updatedAt: string;
}

/** The state of a 3-D Secure challenge after an attempt. */
export interface ChallengeResult {
  readonly challengeId: string;
  readonly status: 'pending' | 'approved' | 'failed';
  readonly attemptsLeft: number;
}

/** A 3-D Secure challenge, without its passcode. */
export interface Challenge {
  readonly challengeId: string;
  readonly status: 'pending' | 'approved' | 'failed';
  readonly attemptsLeft: number;
  readonly cardId: string;
  readonly cardholderId: string;
  readonly amount: number;
  readonly merchant: Merchant;
  /** ISO 8601 timestamp. */
  readonly expiresAt: string;
}

/** A partner's balance. */
export interface Balance {
  /** The amount that new authorizations can use. */
  readonly available: number;
  /** The amount of authorizations that are neither settled nor reversed. */
  readonly held: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** The daily check reports a lower available amount. */
  readonly lowThreshold: number;
  /** A fall below it is reported immediately. */
  readonly alertThreshold: number;
  /** Time of the last change, ISO 8601. */
  readonly updatedAt: string;
}

/** A partner with its current API key. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
}

/** A partner that was added to a running sandbox. */
export interface NewPartner {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
  /** ISO 8601 timestamp. */
  readonly createdAt: string;
  /** Id of its first card program. */
  readonly programId: string | null;
}

/** A partner's settings. */
export interface PartnerSettings {
  readonly ipAllowList: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly rateLimitPerMinute: number;
  readonly lowThreshold: number;
  readonly alertThreshold: number;
}

/** A new API key, and until when the previous one works. */
export interface RotatedKey {
  readonly apiKey: string;
  /** ISO 8601 timestamp. */
  readonly previousKeyValidUntil: string;
}
