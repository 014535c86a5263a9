import * as z from 'zod';
import { assumedField } from '../../core/operation/errors.ts';
import { PositiveAmount } from '../../core/values/money.ts';
import { AmountValue } from '../../core/values/schemas/amount-fields.ts';
import { TimestampText } from '../../core/values/timestamp.ts';
import { SPEND_KINDS } from '../cards/spending.ts';
import { addressFields } from '../kyc/identity.ts';
import { SPEND_WINDOWS } from '../programs/records.ts';
import { DECLINE_REASONS } from './decline-reasons.ts';

export const TRANSACTION_TYPES = ['sale', 'cash'] as const;
/** States of a transaction; all but the first are final. */
export const TRANSACTION_STATUSES = ['authorized', 'declined', 'settled', 'reversed'] as const;
/** Why an authorization was reversed: it expired, or the merchant reversed it. */
export const REVERSAL_REASONS = ['expired', 'merchant'] as const;

/** Where a card is used. */
export const Merchant = z
  .strictObject({
    name: z.string(),
    mcc: z.string().describe('Merchant category code, four digits.'),
    city: z.string(),
    country: z
      .string()
      .meta({ pattern: '^[A-Z]{2}$', minLength: 2, maxLength: 2 })
      .describe('ISO 3166-1 alpha-2.'),
  })
  .meta({ id: 'Merchant' });

/** Any part of a merchant; what is left out is generated. */
export const PartialMerchant = z.object({
  name: z.string().min(1).exactOptional().describe('Name of the merchant.'),
  mcc: z
    .string()
    .regex(/^\d{4}$/, 'must be a string of four digits, such as "5411"')
    .exactOptional()
    .describe('Merchant category code, four digits.'),
  city: z.string().min(1).exactOptional().describe('City of the merchant.'),
  country: addressFields.residenceCountryCode.describe('ISO 3166-1 alpha-2.'),
});

/** Merchants by the name of their preset. */
const PRESETS = {
  grocery: { name: 'Green Basket Market', mcc: '5411', city: 'Berlin', country: 'DE' },
  fuel: { name: 'Ring Road Fuel', mcc: '5542', city: 'Munich', country: 'DE' },
  restaurant: { name: 'Olive Tree Restaurant', mcc: '5812', city: 'Rome', country: 'IT' },
  hotel: { name: 'Lakeside Hotel', mcc: '7011', city: 'Zurich', country: 'CH' },
  atm: { name: 'Old Town ATM', mcc: '6011', city: 'Madrid', country: 'ES' },
  transit: { name: 'Metro Lines', mcc: '4111', city: 'Paris', country: 'FR' },
  online: { name: 'Parcel Lane Online', mcc: '5964', city: 'Amsterdam', country: 'NL' },
  subscription: { name: 'Evening Stream', mcc: '5968', city: 'Stockholm', country: 'SE' },
  airline: { name: 'Blue Coast Airlines', mcc: '4511', city: 'Lisbon', country: 'PT' },
  casino: { name: 'Golden Wheel Casino', mcc: '7995', city: 'Valletta', country: 'MT' },
} as const;

// Object.keys does not keep the type of the keys.
export const MERCHANT_PRESETS = Object.keys(PRESETS) as readonly (keyof typeof PRESETS)[];

/** The name of a preset, read as its merchant. */
const MerchantPreset = z.enum(MERCHANT_PRESETS).transform(name => PRESETS[name]);

/** A merchant in a body: any part of one, or the name of a preset. */
export const MerchantBody = z
  .union([MerchantPreset, PartialMerchant], {
    error: `must be a merchant, or the name of a preset: ${MERCHANT_PRESETS.join(', ')}`,
  })
  .describe('A merchant, or the name of a preset. What a merchant leaves out is generated.');

const amounts = { limit: AmountValue, spent: AmountValue.describe('Before this authorization.') };

/** The limit that an authorization would exceed. */
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
    amount: AmountValue.describe(
      'The requested amount, changed by increments and partial reversals of the authorization.',
    ),
    settledAmount: AmountValue.nullable().describe(
      'Null unless the transaction is settled. Can exceed the amount.',
    ),
    currency: z.string().describe('ISO 4217 code.'),
    merchant: Merchant,
    declineReason: z.enum(DECLINE_REASONS).nullable(),
    declineDetail: DeclineDetail.nullable().describe(
      'Null unless the reason is spend_limit_exceeded or card_limit_exceeded.',
    ),
    reversalReason: z
      .enum(REVERSAL_REASONS)
      .nullable()
      .describe('Null unless the transaction is reversed. An authorization reverses itself when it expires.'),
    createdAt: TimestampText,
    updatedAt: TimestampText,
  })
  .meta({ id: 'Transaction', ...assumedField('transactions') });

/** Result of an increment. */
export const IncrementResult = z
  .discriminatedUnion('approved', [
    z
      .strictObject({ approved: z.literal(true), ...Transaction.shape })
      .meta({ id: 'ApprovedIncrement', description: 'The transaction with its new amount.' }),
    z
      .strictObject({
        approved: z.literal(false),
        declineReason: z.enum(DECLINE_REASONS),
        declineDetail: Transaction.shape.declineDetail,
      })
      .meta({ id: 'DeclinedIncrement', description: 'The transaction is unchanged.' }),
  ])
  .meta({ id: 'IncrementResult' });

/** Body that uses a card at a merchant. */
export const AuthorizeBody = z
  .object({
    cardId: z.string().min(1).describe('The card that pays.'),
    amount: PositiveAmount.describe('In the currency of the card program.'),
    type: z.enum(TRANSACTION_TYPES).default('sale'),
    merchant: MerchantBody.optional(),
    declineReason: z
      .enum(DECLINE_REASONS)
      .optional()
      .describe('Forces a decline for this reason, whatever the card could pay.'),
  })
  .meta({ id: 'Authorize' });
