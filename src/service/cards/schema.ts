import * as z from 'zod';
import { assumedField } from '../../core/operation/errors.ts';
import { Amount } from '../../core/values/money.ts';
import { AmountValue } from '../../core/values/schemas/amount-fields.ts';
import { TimestampText } from '../../core/values/timestamp.ts';
import { CARD_BRANDS, CARD_TYPES } from '../programs/schema.ts';

/** States of a card (interface section 3.3). */
export const CARD_STATUSES = ['created', 'active', 'frozen', 'cancelled'] as const;

const WindowAmounts = z
  .strictObject({
    perTransaction: AmountValue,
    daily: AmountValue,
    monthly: AmountValue,
    allTime: AmountValue,
  })
  .meta({ id: 'SpendWindows' });

const SpendControl = z
  .strictObject({
    sales: WindowAmounts,
    cash: WindowAmounts,
    spent: z
      .strictObject({ sales: WindowAmounts, cash: WindowAmounts })
      .describe('The amount already spent in each window; `perTransaction` is always 0.'),
  })
  .meta({ id: 'SpendControl' });

/** A card (interface sections 2.2 and 2.3). Amounts are in the currency of its program. */
export const Card = z
  .strictObject({
    id: z.string(),
    type: z.enum(CARD_TYPES).meta(assumedField('card-values')),
    brand: z.enum(CARD_BRANDS).meta(assumedField('card-values')),
    status: z.enum(CARD_STATUSES),
    nameOnCard: z.string(),
    limit: AmountValue.describe('Caps sales and cash together, over all time.'),
    last4: z.string().describe('Last four digits of the card number.'),
    programId: z.string(),
    createdAt: TimestampText,
    spendControl: SpendControl,
  })
  .meta({ id: 'Card' });

/** A card as the control plane shows it: with its partner, cardholder and currency. */
export const CardDetails = Card.extend({
  partnerId: z.string(),
  cardholderId: z.string(),
  currency: z.string().describe('ISO 4217 code of its card program.'),
});

const PartialWindowAmounts = z.object({
  perTransaction: Amount.optional().describe('Limit of each authorization.'),
  daily: Amount.optional().describe('Limit of a calendar day, UTC.'),
  monthly: Amount.optional().describe('Limit of a calendar month, UTC.'),
  allTime: Amount.optional().describe('Limit of the whole life of the card.'),
});

/** Limits of a new card; what is left out comes from the program. */
export const SpendControlBody = z.object({
  sales: PartialWindowAmounts.optional(),
  cash: PartialWindowAmounts.optional(),
});

/** Body that issues a card. */
export const IssueCardBody = z
  .object({
    cardholderId: z.string().min(1).describe('An active cardholder with approved KYC.'),
    cardProgramId: z.string().min(1).describe('The card program, which decides what is left out.'),
    type: z.enum(CARD_TYPES).optional(),
    nameOnCard: z.string().min(1).optional().describe("Default: the cardholder's name."),
    limit: Amount.optional().describe('Caps sales and cash together, over all time.'),
    spendControl: SpendControlBody.optional(),
  })
  .meta({ id: 'IssueCard', ...assumedField('card-issuance') });

/** Body that changes the limits of a card. Values that are left out stay as they are. */
export const CardLimitsBody = z.object({
  limit: Amount.optional().describe('Caps sales and cash together, over all time.'),
  spendControl: SpendControlBody.optional(),
});
