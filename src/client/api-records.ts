// Generated from the schemas of the operation table by `npm run docs`. Do not edit.

import type { Merchant } from './records.ts';

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
