import type * as z from 'zod';
import type { Balance } from '../../balance/schema.ts';
import type { Cardholder } from '../../cardholders/schema.ts';
import type { Card } from '../../cards/schema.ts';
import type { KycSession } from '../../kyc/schema.ts';
import type { OtpNotice } from '../../three-d-secure/schema.ts';
import type { Transaction } from '../../transactions/schema.ts';

const NOTHING = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };
const LIMITS = { perTransaction: 500, daily: 1_000, monthly: 5_000, allTime: 20_000 };
const MERCHANT = { name: 'Sample Store', mcc: '5411', city: 'Berlin', country: 'DE' };

/** Sample `data` for events of a partner that has no matching record yet; `now` is an ISO 8601 timestamp. */
export const samples = {
  cardholder: (now: string): z.input<typeof Cardholder> => ({
    id: 'ch_sample',
    externalUserId: 'user_sample',
    firstName: 'Sam',
    lastName: 'Sample',
    email: 'sam.sample@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    kycStatus: 'approved',
    status: 'active',
    createdAt: now,
  }),
  card: (now: string): z.input<typeof Card> => ({
    id: 'card_sample',
    type: 'virtual',
    brand: 'visa',
    status: 'active',
    nameOnCard: 'Sam Sample',
    limit: 20_000,
    last4: '4242',
    programId: 'prog_sample',
    createdAt: now,
    spendControl: { sales: LIMITS, cash: LIMITS, spent: { sales: NOTHING, cash: NOTHING } },
  }),
  transaction: (now: string): z.input<typeof Transaction> => ({
    id: 'txn_sample',
    cardId: 'card_sample',
    cardholderId: 'ch_sample',
    type: 'sale',
    status: 'authorized',
    amount: 42.5,
    settledAmount: null,
    currency: 'USD',
    merchant: MERCHANT,
    declineReason: null,
    declineDetail: null,
    reversalReason: null,
    createdAt: now,
    updatedAt: now,
  }),
  otpNotice: (now: string): z.input<typeof OtpNotice> => ({
    challengeId: 'tds_sample',
    cardId: 'card_sample',
    cardholderId: 'ch_sample',
    otp: '123456',
    amount: 42.5,
    merchant: MERCHANT,
    expiresAt: now,
  }),
  balance: (now: string): z.input<typeof Balance> => ({
    available: 10_000,
    held: 0,
    currency: 'USD',
    lowThreshold: 1_000,
    alertThreshold: 500,
    updatedAt: now,
  }),
  session: (now: string): z.input<typeof KycSession> => ({
    id: 'kycs_sample',
    url: 'https://kyc.example.com/kycs_sample',
    status: 'approved',
    externalUserId: null,
    createdAt: now,
    expiresAt: now,
  }),
} as const;
