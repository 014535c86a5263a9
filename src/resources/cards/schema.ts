import * as z from 'zod';
import { Amount } from '../../kernel/money.ts';
import { CARD_BRANDS, CARD_TYPES } from '../programs/schema.ts';

/** States of a card (interface section 3.3). */
export const CARD_STATUSES = ['created', 'active', 'frozen', 'cancelled'] as const;

const FourWindows = z.strictObject({
  perTransaction: z.number(),
  daily: z.number(),
  monthly: z.number(),
  allTime: z.number(),
});

/** A card (interface sections 2.2 and 2.3). Amounts are in the currency of its program. */
export const Card = z.strictObject({
  id: z.string(),
  type: z.enum(CARD_TYPES),
  brand: z.enum(CARD_BRANDS),
  status: z.enum(CARD_STATUSES),
  nameOnCard: z.string(),
  limit: z.number().describe('Caps sales and cash together, over all time.'),
  last4: z.string(),
  programId: z.string(),
  createdAt: z.string().describe('ISO 8601 timestamp.'),
  spendControl: z.strictObject({
    sales: FourWindows,
    cash: FourWindows,
    spent: z.strictObject({ sales: FourWindows, cash: FourWindows }),
  }),
});

const SomeWindows = z.object({
  perTransaction: Amount.optional(),
  daily: Amount.optional(),
  monthly: Amount.optional(),
  allTime: Amount.optional(),
});

/** Limits named at issue; what is left out comes from the program. */
export const SpendControlBody = z.object({ sales: SomeWindows.optional(), cash: SomeWindows.optional() });

/** Body that issues a card. */
export const IssueCardBody = z.object({
  cardholderId: z.string().min(1),
  cardProgramId: z.string().min(1),
  type: z.enum(CARD_TYPES).optional(),
  nameOnCard: z.string().min(1).optional(),
  limit: Amount.optional(),
  spendControl: SpendControlBody.optional(),
});
