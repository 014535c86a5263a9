import { apiKeys, partnerRules, partners } from '../core/access/partners.ts';
import { faultRules, faultTable } from '../core/faults/faults.ts';
import type { RowRule } from '../core/store/row-rule.ts';
import type { AnyTable } from '../core/store/table-definition.ts';
import { balances } from '../service/balance/records.ts';
import { cardholders } from '../service/cardholders/records.ts';
import { cardholderRules } from '../service/cardholders/rules.ts';
import { cards, vault } from '../service/cards/records.ts';
import { cardRules } from '../service/cards/rules.ts';
import { spendWindows } from '../service/cards/spending.ts';
import { kycSessions, shareTokens } from '../service/kyc/records.ts';
import { kycRules } from '../service/kyc/rules.ts';
import { transactionRules } from '../service/network/state-rules.ts';
import { programs } from '../service/programs/records.ts';
import { revealLinks } from '../service/reveal/records.ts';
import { revealRules } from '../service/reveal/rules.ts';
import { challenges } from '../service/three-d-secure/records.ts';
import { challengeRules } from '../service/three-d-secure/rules.ts';
import { transactions } from '../service/transactions/records.ts';
import { usageRecords } from '../service/usage/records.ts';
import { webhookFaults } from '../service/webhooks/faults.ts';
import { deliveries, redeliveries, webhookConfigs } from '../service/webhooks/records.ts';
import { webhookRules } from '../service/webhooks/rules.ts';

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
