// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

import type { DeclineDetail, DeclineReason, Merchant } from '../records.ts';

/** A merchant, or the name of a preset. What a merchant leaves out is generated. */
export type MerchantOrPreset =
  | 'grocery'
  | 'fuel'
  | 'restaurant'
  | 'hotel'
  | 'atm'
  | 'transit'
  | 'online'
  | 'subscription'
  | 'airline'
  | 'casino'
  | Partial<Merchant>;

/** A use of a card. */
export interface AuthorizeRequest {
  readonly cardId: string;
  readonly amount: number;
  readonly type?: 'sale' | 'cash';
  /** A merchant, or the name of a preset. What a merchant leaves out is generated. */
  readonly merchant?: MerchantOrPreset;
  /** Forces a decline for this reason, whatever the card could pay. */
  readonly declineReason?: DeclineReason;
}

/** What to add to an authorized transaction. */
export interface IncrementRequest {
  /** What is added to the authorized amount. */
  readonly amount: number;
}

/** The result of an increment: the transaction with its new amount, or why it was declined. */
export type IncrementResult =
  | {
      readonly approved: true;
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
  | {
      readonly approved: false;
      readonly declineReason: DeclineReason;
      /** Null unless the reason is spend_limit_exceeded or card_limit_exceeded. */
      readonly declineDetail: DeclineDetail | null;
    };

/** How much of a transaction to settle. */
export interface SettleRequest {
  /** At most the authorized amount, unless forced. Default: the authorized amount. */
  readonly amount?: number;
  /** Whether the amount can exceed the authorized one, whatever the limits and the balance. */
  readonly force?: boolean;
}

/** How much of a transaction to reverse. */
export interface ReverseRequest {
  /** A part of the authorized amount; the rest stays authorized. Default: the authorized amount. */
  readonly amount?: number;
}

/** The purchase that a 3-D Secure challenge is about. */
export interface ChallengeRequest {
  readonly amount?: number;
  /** A merchant, or the name of a preset. What a merchant leaves out is generated. */
  readonly merchant?: MerchantOrPreset;
}

/** Money to add to a balance. */
export interface TopUpRequest {
  readonly amount: number;
  /** Default: the first partner. */
  readonly partnerId?: string;
}
