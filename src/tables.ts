import { apiKeys, partners } from './kernel/partners.ts';
import type { AnyTable } from './kernel/store.ts';
import { balances } from './resources/balance/records.ts';
import { cardholders } from './resources/cardholders/records.ts';
import { cards, vault } from './resources/cards/records.ts';
import { spendWindows } from './resources/cards/spending.ts';
import { kycSessions, shareTokens } from './resources/kyc/records.ts';
import { programs } from './resources/programs/records.ts';
import { revealLinks } from './resources/reveal/records.ts';
import { challenges } from './resources/three-d-secure/records.ts';
import { transactions } from './resources/transactions/records.ts';
import { usageRecords } from './resources/usage/records.ts';
import { deliveries } from './resources/webhooks/deliveries.ts';
import { webhookConfigs } from './resources/webhooks/records.ts';

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
  vault,
  revealLinks,
  spendWindows,
  transactions,
  challenges,
  usageRecords,
  deliveries,
} as const satisfies Readonly<Record<string, AnyTable>>;
