import * as z from 'zod';
import {
  defineTable,
  type RowOf,
  rowSchema,
  StoredAmount,
  StoredId,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { toAmount } from '../../core/values/money.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import { Merchant } from '../transactions/schema.ts';
import {
  CHALLENGE_STATUSES,
  type Challenge,
  type ChallengeDetails,
  type ChallengeResult,
  type OtpNotice,
} from './schema.ts';

const ChallengeRow = rowSchema(() => ({
  cardId: StoredId,
  cardholderId: StoredId,
  status: z.enum(CHALLENGE_STATUSES),
  otp: z.string().regex(/^\d{6}$/, 'must be six digits'),
  attemptsLeft: z.int().min(0),
  amount: StoredAmount.min(1),
  merchant: Merchant,
  expiresAt: StoredTime,
}));

/** A 3-D Secure challenge on a card, its amount in hundredths. */
export type ChallengeRow = RowOf<typeof ChallengeRow>;

/** 3-D Secure challenges, grouped by card, and by partner while pending and once finished; their time is the expiry. */
export const challenges = defineTable({
  kind: '3DS challenge',
  row: ChallengeRow,
  groups: {
    card: row => row.cardId,
    pending: row => (row.status === 'pending' ? row.partnerId : null),
    finished: row => (row.status === 'pending' ? null : row.partnerId),
  },
  timeOf: row => timeOf(row.expiresAt),
});

export function viewResult({ id, status, attemptsLeft }: ChallengeRow): z.input<typeof ChallengeResult> {
  return { challengeId: id, status, attemptsLeft };
}

export function viewChallenge(row: ChallengeRow): z.input<typeof Challenge> {
  const { cardId, cardholderId, amount, merchant, expiresAt } = row;
  return { ...viewResult(row), cardId, cardholderId, amount: toAmount(amount), merchant, expiresAt };
}

/** Returns the challenge as its cardholder sees it: with the passcode while it is pending. */
export function viewChallengeDetails(row: ChallengeRow): z.input<typeof ChallengeDetails> {
  return { ...viewChallenge(row), ...(row.status === 'pending' && { otp: row.otp }) };
}

/** Returns the challenge as webhooks report it: with the passcode. */
export function viewOtpNotice(row: ChallengeRow): z.input<typeof OtpNotice> {
  const { id, cardId, cardholderId, otp, amount, merchant, expiresAt } = row;
  return { challengeId: id, cardId, cardholderId, otp, amount: toAmount(amount), merchant, expiresAt };
}
