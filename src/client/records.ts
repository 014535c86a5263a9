// What the control plane answers, spelled out: whoever embeds the sandbox has these types without the schemas behind
// them, and a test holds the two together.

/** The twelve event types of interface section 6.1. */
export type EventType =
  | 'card.transaction'
  | 'card.issued'
  | 'card.status.changed'
  | 'card.3ds_otp'
  | 'cardholder.kyc.updated'
  | 'cardholder.approved'
  | 'cardholder.created'
  | 'balance.low'
  | 'balance.alert'
  | 'balance.top_up'
  | 'kyc_session.completed'
  | 'kyc_session.failed';

/** What the simulated provider decides; `manual` waits for a decision of the test. */
export type KycOutcome = 'approve' | 'reject' | 'manual';

/** Where a person lives (interface section 4.1). */
export interface Address {
  /** ISO 3166-1 alpha-2. */
  readonly residenceCountryCode?: string;
  readonly residenceStateProvince?: string;
  readonly residenceCity?: string;
  readonly residenceAddressDetail?: string;
  readonly postalCode?: string;
}

/** What a KYC source knows of a person. */
export interface Identity extends Address {
  readonly firstName: string;
  readonly lastName: string;
}

/** The sandbox clock. */
export interface ClockState {
  /** ISO 8601. */
  readonly now: string;
  readonly mode: 'running' | 'frozen';
  readonly pendingTimers: number;
}

/** A minted share token. */
export interface ShareToken {
  readonly token: string;
  readonly partnerId: string;
  readonly source: 'idp1' | 'idp2';
  readonly outcome: KycOutcome;
  readonly identity: Identity;
  readonly createdAt: string;
  /** Null for a token that does not expire. */
  readonly expiresAt: string | null;
  /** The cardholder that it was used for. */
  readonly usedBy: string | null;
}

/** A KYC session. */
export interface KycSession {
  readonly id: string;
  readonly url: string;
  readonly status: 'pending' | 'approved' | 'rejected' | 'expired';
  readonly externalUserId: string | null;
  readonly createdAt: string;
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
  readonly phoneNumber: string | null;
  readonly kycSource: 'api' | 'idp1' | 'idp2' | 'web';
  readonly kycStatus: 'pending' | 'approved' | 'rejected';
  readonly status: CardholderStatus;
  readonly createdAt: string;
  readonly partnerId: string;
  readonly address: Address;
  readonly kyc: {
    readonly state: 'not_submitted' | 'in_flight' | 'approved' | 'rejected';
    readonly outcome: string;
    readonly cardProgramId: string | null;
    readonly submittedAt: string | null;
    readonly decidedAt: string | null;
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

/** The limit that an authorization would have gone over. */
export type DeclineDetail =
  | {
      readonly kind: 'sales' | 'cash';
      readonly window: 'perTransaction' | 'daily' | 'monthly' | 'allTime';
      readonly limit: number;
      readonly spent: number;
    }
  | { readonly limit: number; readonly spent: number };

/** A card transaction. */
export interface Transaction {
  readonly id: string;
  readonly cardId: string;
  readonly cardholderId: string;
  readonly type: 'sale' | 'cash';
  readonly status: 'authorized' | 'declined' | 'settled' | 'reversed';
  readonly amount: number;
  /** Null unless it is settled. */
  readonly settledAmount: number | null;
  readonly currency: string;
  readonly merchant: Merchant;
  readonly declineReason: DeclineReason | null;
  readonly declineDetail: DeclineDetail | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What an answer to a 3-D Secure challenge led to. */
export interface ChallengeResult {
  readonly challengeId: string;
  readonly status: 'pending' | 'approved' | 'failed';
  readonly attemptsLeft: number;
}

/** A 3-D Secure challenge. Its passcode goes out as the webhook `card.3ds_otp`, and nowhere else. */
export interface Challenge extends ChallengeResult {
  readonly cardId: string;
  readonly cardholderId: string;
  readonly amount: number;
  readonly merchant: Merchant;
  readonly expiresAt: string;
}

/** A partner's balance. */
export interface Balance {
  readonly available: number;
  readonly held: number;
  readonly currency: string;
  readonly lowThreshold: number;
  readonly alertThreshold: number;
  readonly updatedAt: string;
}

/** A partner with the key that it calls the API with. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

/** A partner that was added while the sandbox ran. */
export interface NewPartner extends Partner {
  readonly createdAt: string;
  /** Its first card program. */
  readonly programId: string | null;
}

/** A partner's settings. */
export interface PartnerSettings {
  readonly ipAllowList: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** 0 is no limit. */
  readonly rateLimitPerMinute: number;
  readonly lowThreshold: number;
  readonly alertThreshold: number;
}

/** One of the decisions that the sandbox takes where the interface is silent. */
export interface Assumption {
  readonly id: string;
  readonly section: string;
  readonly decision: string;
}
