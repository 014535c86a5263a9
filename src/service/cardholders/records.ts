import * as z from 'zod';
import {
  defineTable,
  ownKey,
  type RowOf,
  rowSchema,
  StoredId,
  StoredTime,
} from '../../core/store/table-definition.ts';
import type { AssumptionValues } from '../../core/values/setting.ts';
import { addressFields } from '../kyc/identity.ts';
import { RejectionReasons, viewReasons } from '../kyc/rejection-reasons.ts';
import { KYC_OUTCOMES } from '../kyc/schema.ts';
import {
  CARDHOLDER_STATUSES,
  type Cardholder,
  type CardholderDetails,
  Email,
  KYC_SOURCES,
  KYC_STATUSES,
  PhoneNumber,
} from './schema.ts';

/** The submission of a cardholder's KYC to the card provider. */
const KycSubmission = z.strictObject({
  cardProgramId: StoredId,
  submittedAt: StoredTime,
  /** Null while the submission is in flight. */
  decidedAt: StoredTime.nullable(),
  /** Why it was rejected, if reasons were given. */
  reasons: RejectionReasons.exactOptional(),
});

const CardholderRow = rowSchema(() => ({
  externalUserId: StoredId,
  firstName: z.string().min(1),
  lastName: z.string().min(1),
  email: Email,
  phoneNumber: PhoneNumber.nullable(),
  kycSource: z.enum(KYC_SOURCES),
  kycStatus: z.enum(KYC_STATUSES),
  status: z.enum(CARDHOLDER_STATUSES),
  createdAt: StoredTime,
  address: z.strictObject(addressFields),
  /** What the simulated provider decides. */
  outcome: z.enum(KYC_OUTCOMES),
  /** The latest submission; null before the first. */
  submission: KycSubmission.nullable(),
  /** Whether a card was ever issued. */
  hasCard: z.boolean(),
}));

/** A cardholder, with fields that the API does not show. */
export type CardholderRow = RowOf<typeof CardholderRow>;

/** Cardholders. E-mail address and external id are unique per partner; lists filter by group. */
export const cardholders = defineTable({
  kind: 'cardholder',
  row: CardholderRow,
  unique: {
    externalUserId: row => ownKey(row.partnerId, row.externalUserId),
    email: (row, assumptions) => emailKey(row.partnerId, row.email, assumptions['email-comparison']),
  },
  conflictHints: {
    email: 'if the addresses differ in case, start the sandbox with --assume email-comparison=sensitive',
  },
  groups: {
    status: row => `${row.partnerId} ${row.status}`,
    kycStatus: row => `${row.partnerId} ${row.kycStatus}`,
    kycState: row => `${row.partnerId} ${kycState(row)}`,
    statuses: row => `${row.partnerId} ${row.status} ${row.kycStatus}`,
  },
});

/** Returns the key of an e-mail address in its unique index. Fixtures always use the default comparison. */
export function emailKey(
  partnerId: string,
  email: string,
  comparison: AssumptionValues['email-comparison'] = 'insensitive',
): string {
  return ownKey(partnerId, comparison === 'sensitive' ? email : email.toLowerCase());
}

/** Returns why a re-import is refused (interface section 7.2), or null when it is allowed. A card takes precedence. */
export function lockReason(row: CardholderRow): 'card_issued' | 'provider_submitted' | null {
  if (row.hasCard) return 'card_issued';
  return row.submission === null ? null : 'provider_submitted';
}

export function isInFlight({ submission }: CardholderRow): boolean {
  return submission !== null && submission.decidedAt === null;
}

/** Returns the cardholder as the API shows it: exactly the ten fields of interface section 2.1. */
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

export function kycState(row: CardholderRow): z.input<typeof CardholderDetails>['kyc']['state'] {
  if (isInFlight(row)) return 'in_flight';
  return row.kycStatus === 'pending' ? 'not_submitted' : row.kycStatus;
}

export function viewCardholderDetails(row: CardholderRow): z.input<typeof CardholderDetails> {
  return {
    ...viewCardholder(row),
    partnerId: row.partnerId,
    address: row.address,
    kyc: {
      state: kycState(row),
      outcome: row.outcome,
      cardProgramId: row.submission?.cardProgramId ?? null,
      submittedAt: row.submission?.submittedAt ?? null,
      decidedAt: row.submission?.decidedAt ?? null,
      ...viewReasons(row.submission?.reasons),
    },
    lockReason: lockReason(row),
  };
}
