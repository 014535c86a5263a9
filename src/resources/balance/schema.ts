import * as z from 'zod';
import { assumedField } from '../../kernel/operation/errors.ts';
import { TimestampText } from '../../kernel/values/timestamp.ts';

/** The balance of a partner; the interface names the operation only, so the whole shape is an assumption. */
export const Balance = z
  .strictObject({
    available: z.number().describe('What authorizations can still use.'),
    held: z.number().describe('What authorizations hold that are neither settled nor reversed.'),
    currency: z.string().describe('ISO 4217 code.'),
    lowThreshold: z.number().describe('The daily check reports an available amount below it.'),
    alertThreshold: z.number().describe('Falling below it is reported at once.'),
    updatedAt: TimestampText.describe('When money last moved, ISO 8601.'),
  })
  .meta({ id: 'Balance', ...assumedField('balance') });
