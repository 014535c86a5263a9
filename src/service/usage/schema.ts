import * as z from 'zod';
import { AmountValue } from '../../core/values/schemas/amount-fields.ts';
import { Month, TimestampText } from '../../core/values/timestamp.ts';
import { USAGE_TYPES } from '../programs/schema.ts';

/** A usage record (interface section 2.4). */
export const UsageRecord = z
  .strictObject({
    id: z.string(),
    type: z.enum(USAGE_TYPES),
    amount: AmountValue.describe('The fee, in the currency of the card program.'),
    referenceId: z.string().describe('Id of the related record; for a card issuance, the card.'),
    billingPeriod: Month.describe('`YYYY-MM`.'),
    createdAt: TimestampText,
  })
  .meta({ id: 'UsageRecord' });
