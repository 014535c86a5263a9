import { apiKeys, partners } from './kernel/partners.ts';
import type { AnyTable } from './kernel/store.ts';
import { cardholders } from './resources/cardholders/records.ts';
import { cards, vault } from './resources/cards/records.ts';
import { kycSessions, shareTokens } from './resources/kyc/records.ts';
import { programs } from './resources/programs/records.ts';
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
  shareTokens,
  kycSessions,
  cardholders,
  cards,
  vault,
  usageRecords,
  deliveries,
} as const satisfies Readonly<Record<string, AnyTable>>;
