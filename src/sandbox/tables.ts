import { apiKeys, partnerRules, partners } from '../kernel/access/partners.ts';
import { faultRules, faultTable } from '../kernel/faults/fault-table.ts';
import type { RowRule } from '../kernel/store/row-rule.ts';
import type { AnyTable } from '../kernel/store/table-definition.ts';
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
import { EXPIRY, waitsForExpiry } from '../resources/transactions/expiry.ts';
import { transactions } from '../resources/transactions/records.ts';
import { transactionRules } from '../resources/transactions/state-rules.ts';
import { usageRecords } from '../resources/usage/records.ts';
import { deliveries } from '../resources/webhooks/deliveries.ts';
import { REDELIVERY, redeliveries } from '../resources/webhooks/delivery/redelivery.ts';
import { WEBHOOK_ATTEMPT } from '../resources/webhooks/delivery/sending.ts';
import { webhookFaults } from '../resources/webhooks/faults.ts';
import { heldDeliveries } from '../resources/webhooks/held-deliveries.ts';
import { webhookConfigs } from '../resources/webhooks/records.ts';
import { webhookRules } from '../resources/webhooks/state-rules.ts';

/**
 * Every table of a world, by its name in state documents: a plural noun in camelCase. A table comes after those that
 * its rows refer to. A world has only the tables listed here, so that no saved state lacks one.
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
  faults: faultTable,
  webhookFaults,
  heldDeliveries,
  redeliveries,
} as const satisfies Readonly<Record<string, AnyTable>>;

/** The rules that rows keep beyond their schemas and indexes. Loaded states are checked against them. */
export const rowRules: readonly RowRule[] = [
  ...partnerRules,
  ...faultRules,
  ...webhookRules,
  ...kycRules,
  ...cardholderRules,
  ...cardRules,
  ...revealRules,
  ...transactionRules,
  ...challengeRules,
];

/** Every kind of timer, named `resource.verb`, with the rows that wait for one. */
export const timers: Readonly<Record<string, TimerRule>> = {
  [KYC_DECISION]: timerRule(cardholders, waitsForDecision),
  [LOW_CHECK]: timerRule(partners, ({ id }, world) => isLow(world, id)),
  [EXPIRY]: timerRule(transactions, waitsForExpiry),
  [WEBHOOK_ATTEMPT]: timerRule(deliveries, ({ status }) => status === 'pending'),
  [REDELIVERY]: timerRule(redeliveries, () => true),
};

/** The table of what a timer belongs to, by its kind. Timers due at the same moment run in the order of `tables`. */
export const timerTables: Readonly<Record<string, AnyTable>> = Object.fromEntries(
  Object.entries(timers).map(([kind, { table }]) => [kind, table]),
);
