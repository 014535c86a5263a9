import * as z from 'zod';
import { assumedField } from '../../core/operation/errors.ts';
import { AmountValue } from '../../core/values/schemas/amount-fields.ts';
import { TimestampText } from '../../core/values/timestamp.ts';

export const CARD_TYPES = ['virtual', 'physical'] as const;
export const CARD_BRANDS = ['visa', 'mastercard'] as const;
/** Kinds of billed usage (interface section 2.4). */
export const USAGE_TYPES = ['card_issuance', 'transaction_processing', 'kyc_verification'] as const;

/** An ISO 4217 code. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as EUR');

/** A card program. The interface does not describe one, so the whole shape is an assumption. */
export const CardProgram = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    type: z.enum(CARD_TYPES).describe('Default type of its cards.'),
    brand: z.enum(CARD_BRANDS),
    currency: z.string().describe('ISO 4217 code.'),
    status: z.literal('active'),
    fees: z.strictObject({
      card_issuance: AmountValue,
      transaction_processing: AmountValue,
      kyc_verification: AmountValue,
    }),
    createdAt: TimestampText,
  })
  .meta({ id: 'CardProgram', ...assumedField('card-programs') });
