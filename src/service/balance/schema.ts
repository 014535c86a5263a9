import * as z from 'zod';
import { assumedField } from '../../core/operation/errors.ts';
import { AmountValue } from '../../core/values/schemas/amount-fields.ts';
import { TimestampText } from '../../core/values/timestamp.ts';

/** The balance of a partner. The interface names only the operation, so the whole shape is an assumption. */
export const Balance = z
  .strictObject({
    available: AmountValue.describe('The amount that new authorizations can use.'),
    held: AmountValue.describe('The amount of authorizations that are neither settled nor reversed.'),
    currency: z.string().describe('ISO 4217 code.'),
    lowThreshold: AmountValue.describe('The daily check reports a lower available amount.'),
    alertThreshold: AmountValue.describe('A fall below it is reported immediately.'),
    updatedAt: TimestampText.describe('Time of the last change, ISO 8601.'),
  })
  .meta({ id: 'Balance', ...assumedField('balance') });
