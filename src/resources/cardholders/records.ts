import type * as z from 'zod';
import { defineTable, type Row } from '../../kernel/store.ts';
import type { Address } from '../kyc/identity.ts';
import type { Outcome } from '../kyc/records.ts';
import type {
  CARDHOLDER_STATUSES,
  Cardholder,
  CardholderDetails,
  KYC_SOURCES,
  KYC_STATUSES,
} from './schema.ts';

/** The submission of a cardholder's KYC to the card provider. */
export interface KycSubmission {
  readonly cardProgramId: string;
  readonly submittedAt: string;
  /** Null while it is in flight. */
  readonly decidedAt: string | null;
}

/** A cardholder, with what the API does not show. */
export interface CardholderRow extends Row {
  readonly externalUserId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phoneNumber: string | null;
  readonly kycSource: (typeof KYC_SOURCES)[number];
  readonly kycStatus: (typeof KYC_STATUSES)[number];
  readonly status: (typeof CARDHOLDER_STATUSES)[number];
  readonly createdAt: string;
  readonly address: Address;
  /** What the simulated provider will decide. */
  readonly outcome: Outcome;
  /** The last submission; null before the first. */
  readonly submission: KycSubmission | null;
  /** Whether a card was ever issued. */
  readonly hasCard: boolean;
}

/** Cardholders; e-mail and external id are unique for each partner, e-mails without regard to case. */
export const cardholders = defineTable<CardholderRow>()({
  kind: 'cardholder',
  unique: {
    externalUserId: row => partnerKey(row.partnerId, row.externalUserId),
    email: row => emailKey(row.partnerId, row.email),
  },
  groups: {},
});

/** The key of an external id in its unique index. */
export function partnerKey(partnerId: string, externalUserId: string): string {
  return `${partnerId} ${externalUserId}`;
}

/** The key of an e-mail address in its unique index. */
export function emailKey(partnerId: string, email: string): string {
  return `${partnerId} ${email.toLowerCase()}`;
}

/** Why a re-import is refused (interface section 7.2), a card weighing more than a submission; null when it is not. */
export function lockReason(row: CardholderRow): 'card_issued' | 'provider_submitted' | null {
  if (row.hasCard) return 'card_issued';
  return row.submission === null ? null : 'provider_submitted';
}

/** Whether the provider still has to decide. */
export function isInFlight({ submission }: CardholderRow): boolean {
  return submission !== null && submission.decidedAt === null;
}

/** The cardholder as the API shows it: the ten fields of interface section 2.1 and no more. */
export function viewCardholder(row: CardholderRow): z.input<typeof Cardholder> {
  return {
    id: row.id,
    externalUserId: row.externalUserId,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    phoneNumber: row.phoneNumber,
    kycSource: row.kycSource,
    kycStatus: row.kycStatus,
    status: row.status,
    createdAt: row.createdAt,
  };
}

/** The cardholder as the control plane shows it. */
export function viewCardholderDetails(row: CardholderRow): z.input<typeof CardholderDetails> {
  const decided = row.kycStatus === 'pending' ? 'not_submitted' : row.kycStatus;
  return {
    ...viewCardholder(row),
    partnerId: row.partnerId,
    address: row.address,
    kyc: {
      state: isInFlight(row) ? 'in_flight' : decided,
      outcome: row.outcome,
      cardProgramId: row.submission?.cardProgramId ?? null,
      submittedAt: row.submission?.submittedAt ?? null,
      decidedAt: row.submission?.decidedAt ?? null,
    },
    lockReason: lockReason(row),
  };
}
