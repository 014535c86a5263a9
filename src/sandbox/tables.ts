import { apiKeys, partnerRules, partners } from '../kernel/access/partners.ts';
import type { RowRule } from '../kernel/store/row-rule.ts';
import type { AnyTable } from '../kernel/store/store.ts';
import { type TimerRule, timerRule } from '../kernel/time/timer-rule.ts';
import { balances } from '../resources/balance/records.ts';
import { isLow, LOW_CHECK } from '../resources/balance/rules.ts';
import { cardholders } from '../resources/cardholders/records.ts';
import { cardholderRules } from '../resources/cardholders/state-rules.ts';
import { KYC_DECISION, waitsForDecision } from '../resources/cardholders/submission.ts';
import { cards, vault } from '../resources/cards/records.ts';
import { spendWindows } from '../resources/cards/spending.ts';
import { cardRules } from '../resources/cards/state-rules.ts';
import { kycSessions, shareTokens } from '../resources/kyc/records.ts';
import { kycRules } from '../resources/kyc/state-rules.ts';
import { programs } from '../resources/programs/records.ts';
import { revealLinks } from '../resources/reveal/records.ts';
import { revealRules } from '../resources/reveal/state-rules.ts';
import { challenges } from '../resources/three-d-secure/records.ts';
import { challengeRules } from '../resources/three-d-secure/state-rules.ts';
import { transactions } from '../resources/transactions/records.ts';
import { transactionRules } from '../resources/transactions/state-rules.ts';
import { usageRecords } from '../resources/usage/records.ts';
import { deliveries } from '../resources/webhooks/deliveries.ts';
import { webhookConfigs } from '../resources/webhooks/records.ts';
import { WEBHOOK_ATTEMPT } from '../resources/webhooks/sending.ts';
import { webhookRules } from '../resources/webhooks/state-rules.ts';

/**
 * Every table of a world, under its name in state documents. A record stands after those it refers to. A world
 * has no table that is not listed here, because saved states would lack it.
 */
export const tables = {
  partners,
  apiKeys,
  webhookConfigs,
  cardPrograms: programs,
  balances,
  shareTokens,
  kycSessions,
  cardholders,
  cards,
  cardNumbers: vault,
  revealLinks,
  spendWindows,
  transactions,
  challenges,
  usageRecords,
  deliveries,
} as const satisfies Readonly<Record<string, AnyTable>>;

/** What the rows of all tables keep to, beyond their schemas and their indexes; states that come in are held against it. */
export const rowRules: readonly RowRule[] = [
  ...partnerRules,
  ...webhookRules,
  ...kycRules,
  ...cardholderRules,
  ...cardRules,
  ...revealRules,
  ...transactionRules,
  ...challengeRules,
];

/** Every kind of timer, with the rows that wait for one. */
export const timers: Readonly<Record<string, TimerRule>> = {
  [KYC_DECISION]: timerRule(cardholders, waitsForDecision),
  [LOW_CHECK]: timerRule(partners, ({ id }, world) => isLow(world, id), true),
  [WEBHOOK_ATTEMPT]: timerRule(deliveries, ({ status }) => status === 'pending'),
};
