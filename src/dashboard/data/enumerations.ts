import type {
  Card,
  Cardholder,
  Delivery,
  KycRejectionReason,
  KycSession,
  MerchantOrPreset,
  ShareToken,
  Transaction,
} from './response-types.ts';

// The values of enumerations that the pages list. The schemas themselves would bring zod into the page, so that only
// their types are imported: a value that is missing here, or that no schema has, fails to compile.

/** Returns the keys of an object literal, which has exactly the keys of the union `K`. */
function valuesOf<K extends string>(literal: Readonly<Record<K, true>>): readonly K[] {
  // A literal has no other keys than those of its type.
  return Object.keys(literal) as K[];
}

export const KYC_STATES = valuesOf<Cardholder['kyc']['state']>({
  not_submitted: true,
  in_flight: true,
  approved: true,
  rejected: true,
});

export const CARD_STATUSES = valuesOf<Card['status']>({
  created: true,
  active: true,
  frozen: true,
  cancelled: true,
});

export const TRANSACTION_STATUSES = valuesOf<Transaction['status']>({
  authorized: true,
  settled: true,
  reversed: true,
  declined: true,
});

export const SESSION_STATUSES = valuesOf<KycSession['status']>({
  pending: true,
  approved: true,
  rejected: true,
  expired: true,
});

export const DELIVERY_STATUSES = valuesOf<Delivery['status']>({
  pending: true,
  delivered: true,
  failed: true,
});

export const TOKEN_SOURCES = valuesOf<ShareToken['source']>({ idp1: true, idp2: true });

export const MERCHANT_PRESETS = valuesOf<Extract<MerchantOrPreset, string>>({
  grocery: true,
  fuel: true,
  restaurant: true,
  hotel: true,
  atm: true,
  transit: true,
  online: true,
  subscription: true,
  airline: true,
  casino: true,
});

export const REJECTION_REASONS = valuesOf<KycRejectionReason>({
  document_expired: true,
  document_unreadable: true,
  selfie_mismatch: true,
  name_mismatch: true,
  underage: true,
  sanctions_hit: true,
  duplicate_identity: true,
  other: true,
});

interface TimerKind {
  /** What it does. */
  readonly label: string;
  /** Whether its record can be opened. */
  readonly hasView: boolean;
}

/** The kinds of timers of the sandbox. */
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
