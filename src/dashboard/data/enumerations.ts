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

interface TimerKind {
  readonly label: string;
  /** Whether its record can be opened. */
  readonly hasView: boolean;
}

export const TIMER_KINDS: Readonly<Record<string, TimerKind>> = {
  'kyc.decide': { label: 'KYC decision', hasView: true },
  'transaction.expire': { label: 'Authorization expiry', hasView: true },
  'delivery.attempt': { label: 'Webhook attempt', hasView: true },
  'delivery.redeliver': { label: 'Webhook redelivery', hasView: false },
  'balance.checkLow': { label: 'Daily balance check', hasView: false },
};

/** Returns the kind of a timer. An unknown one is shown by its name. */
export function timerKind(kind: string): TimerKind {
  return TIMER_KINDS[kind] ?? { label: kind, hasView: false };
}
