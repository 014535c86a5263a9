import type {
  Card,
  Cardholder,
  Delivery,
  KycRejectionReason,
  KycSession,
  ShareToken,
  Transaction,
} from './response-types.ts';

// The values of enumerations that the pages list. The schemas themselves would bring zod into the page, so that only
// their types are imported: a value that no schema has fails to compile.

export const KYC_STATES: readonly Cardholder['kyc']['state'][] = [
  'not_submitted',
  'in_flight',
  'approved',
  'rejected',
];

export const CARD_STATUSES: readonly Card['status'][] = ['created', 'active', 'frozen', 'cancelled'];

export const TRANSACTION_STATUSES: readonly Transaction['status'][] = [
  'authorized',
  'settled',
  'reversed',
  'declined',
];

export const SESSION_STATUSES: readonly KycSession['status'][] = [
  'pending',
  'approved',
  'rejected',
  'expired',
];

export const DELIVERY_STATUSES: readonly Delivery['status'][] = ['pending', 'delivered', 'failed'];

export const TOKEN_SOURCES: readonly ShareToken['source'][] = ['idp1', 'idp2'];

export const REJECTION_REASONS: readonly KycRejectionReason[] = [
  'document_expired',
  'document_unreadable',
  'selfie_mismatch',
  'name_mismatch',
  'underage',
  'sanctions_hit',
  'duplicate_identity',
  'other',
];

/** What timers are called, by their kinds. */
export const TIMER_LABELS: Readonly<Record<string, string>> = {
  'kyc.decide': 'KYC decision',
  'transaction.expire': 'Authorization expiry',
  'delivery.attempt': 'Webhook attempt',
  'delivery.redeliver': 'Webhook redelivery',
  'balance.checkLow': 'Daily balance check',
};
