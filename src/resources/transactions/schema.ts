import * as z from 'zod';
import { assumedField } from '../../kernel/operation/errors.ts';
import { PositiveAmount } from '../../kernel/values/money.ts';
import { TimestampText } from '../../kernel/values/timestamp.ts';
import { SPEND_KINDS } from '../cards/spending.ts';
import { addressFields } from '../kyc/identity.ts';
import { SPEND_WINDOWS } from '../programs/records.ts';

/** Kinds of transaction. */
export const TRANSACTION_TYPES = ['sale', 'cash'] as const;
/** States of a transaction; all but the first are final. */
export const TRANSACTION_STATUSES = ['authorized', 'declined', 'settled', 'reversed'] as const;
/** Why an authorization is declined: the reasons that the state can give in the order of first match, then those that are only forced. */
export const DECLINE_REASONS = [
  'card_not_activated',
  'card_frozen',
  'card_cancelled',
  'card_expired',
  'cardholder_inactive',
  'spend_limit_exceeded',
  'card_limit_exceeded',
  'insufficient_funds',
  'merchant_category_not_allowed',
  'country_not_allowed',
  'incorrect_pin',
  'incorrect_cvv',
  'three_ds_failed',
  'suspected_fraud',
  'do_not_honor',
] as const;

/** Where a card is used. */
export const Merchant = z
  .strictObject({
    name: z.string(),
    mcc: z.string().describe('Merchant category code, four digits.'),
    city: z.string(),
    country: z.string().describe('ISO 3166-1 alpha-2.'),
  })
  .meta({ id: 'Merchant' });

/** Any part of a merchant; what is left out is made up. */
export const PartialMerchant = z.object({
  name: z.string().min(1).exactOptional(),
  mcc: z
    .string()
    .regex(/^\d{4}$/, 'must be a text of four digits, such as "5411"')
    .exactOptional(),
  city: z.string().min(1).exactOptional(),
  country: addressFields.residenceCountryCode,
});

const amounts = { limit: z.number(), spent: z.number().describe('Before this authorization.') };

/** The limit that an authorization would have gone over. */
export const DeclineDetail = z.union([
  z.strictObject({ kind: z.enum(SPEND_KINDS), window: z.enum(SPEND_WINDOWS), ...amounts }),
  z.strictObject(amounts),
]);

/** A card transaction; the interface shows none, so the whole shape is an assumption. */
export const Transaction = z
  .strictObject({
    id: z.string(),
    cardId: z.string(),
    cardholderId: z.string(),
    type: z.enum(TRANSACTION_TYPES),
    status: z.enum(TRANSACTION_STATUSES),
    amount: z.number().describe('What was to be authorized.'),
    settledAmount: z.number().nullable().describe('Null unless it is settled.'),
    currency: z.string().describe('ISO 4217 code.'),
    merchant: Merchant,
    declineReason: z.enum(DECLINE_REASONS).nullable(),
    declineDetail: DeclineDetail.nullable().describe(
      'For spend_limit_exceeded and card_limit_exceeded, else null.',
    ),
    createdAt: TimestampText,
    updatedAt: TimestampText,
  })
  .meta({ id: 'Transaction', ...assumedField('transactions') });

/** Body that has a card used somewhere. */
export const AuthorizeBody = z
  .object({
    cardId: z.string().min(1),
    amount: PositiveAmount,
    type: z.enum(TRANSACTION_TYPES).default('sale'),
    merchant: PartialMerchant.optional(),
    declineReason: z.enum(DECLINE_REASONS).optional().describe('Declines it, whatever the card could pay.'),
  })
  .meta({ id: 'Authorize' });
