import * as z from 'zod';
import { assumedField } from '../../core/operation/errors.ts';
import { PositiveAmount } from '../../core/values/money.ts';
import { AmountValue } from '../../core/values/schemas/amount-fields.ts';
import { TimestampText } from '../../core/values/timestamp.ts';
import { Merchant, MerchantBody } from '../transactions/schema.ts';

/** States of a challenge; the last two are final. */
export const CHALLENGE_STATUSES = ['pending', 'approved', 'failed'] as const;

/** The result of a passcode. */
export const ChallengeResult = z
  .strictObject({
    challengeId: z.string(),
    status: z.enum(CHALLENGE_STATUSES),
    attemptsLeft: z.int(),
  })
  .meta({ id: 'ChallengeResult' });

/** A 3-D Secure challenge. Without its passcode. */
export const Challenge = ChallengeResult.extend({
  cardId: z.string(),
  cardholderId: z.string(),
  amount: AmountValue,
  merchant: Merchant,
  expiresAt: TimestampText,
}).meta({ id: 'Challenge' });

/** A 3-D Secure challenge as its cardholder sees it: with the passcode for as long as it works. */
export const ChallengeDetails = Challenge.extend({
  otp: z.string().optional().describe('The passcode, only while the challenge is pending.'),
});

/** The data of `card.3ds_otp`: the passcode, to reach the cardholder within 60 seconds (interface section 6.1). */
export const OtpNotice = z
  .strictObject({
    challengeId: z.string(),
    cardId: z.string(),
    cardholderId: z.string(),
    otp: z.string(),
    amount: AmountValue,
    merchant: Merchant,
    expiresAt: TimestampText,
  })
  .meta({ id: 'OtpNotice', ...assumedField('three-d-secure') });

/** Body that starts a challenge. */
export const ChallengeBody = z.object({
  amount: PositiveAmount.optional().describe('In the currency of the card program. Default: 10.'),
  merchant: MerchantBody.optional(),
});

/** Body that answers a challenge; any string counts as an attempt. */
export const VerifyBody = z.object({ otp: z.string().min(1).describe('The passcode of the event.') });
