import type { Hundredths } from './money.ts';
import { defineTable, type Row } from './store.ts';
import type { World } from './world.ts';

/** A tenant: every record belongs to one, and one API key opens exactly one (interface section 1). */
export interface Partner extends Row {
  readonly name: string;
  readonly createdAt: string;
  readonly settings: PartnerSettings;
}

/** What a partner sets in the Settings page (interface section 5.4 and 5.5), and the two balance thresholds. */
export interface PartnerSettings {
  readonly ipAllowList: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Requests a minute and key; 0 switches the limit off. */
  readonly rateLimitPerMinute: number;
  readonly lowThreshold: Hundredths;
  readonly alertThreshold: Hundredths;
}

/** An API key. Its id is the key itself, so that finding it is one look-up. */
export interface ApiKey extends Row {
  /** Sandbox time in milliseconds at which a rotated key stops working; null for the current one. */
  readonly validUntil: number | null;
}

/** The tenants. */
export const partners = defineTable<Partner>()({ kind: 'partner', unique: {}, groups: {} });

/** Every key ever issued, rotated ones included. */
export const apiKeys = defineTable<ApiKey>()({ kind: 'API key', unique: {}, groups: {} });

/** The prefix that every key of this environment has (interface section 5.2). */
export const KEY_PREFIX = 'sk_test_';

/** The prefix of production keys (interface section 5.2), which have no business here. */
export const LIVE_KEY_PREFIX = 'sk_live_';

/** The partner's current key: the last one that was issued. */
export function currentKey(world: World, partnerId: string): string {
  const key = world.table(apiKeys).ofPartner(partnerId).at(-1);
  if (key === undefined) throw new Error(`partner ${partnerId} has no API key`);
  return key;
}

/** A partner as people need it to make their first call. */
export interface PartnerKey {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

/** All partners with their current keys, the first one first. */
export function partnerKeys(world: World): PartnerKey[] {
  const all = [...world.table(partners).all()];
  return all.map(({ id, name }) => ({ id, name, apiKey: currentKey(world, id) }));
}

/** The partner that a control call means: the one named, or the first. Throws the 404 for an unknown one. */
export function partnerOrFirst(world: World, partnerId: string | undefined): Partner {
  if (partnerId !== undefined) return world.table(partners).existing(partnerId);
  const [first] = world.table(partners).all();
  if (first === undefined) throw new Error('this world has no partner');
  return first;
}
