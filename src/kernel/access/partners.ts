import * as z from 'zod';
import { type RowOf, rowSchema, StoredAmount, StoredTime } from '../store/row.ts';
import { type RowRule, rowRule } from '../store/row-rule.ts';
import { defineTable } from '../store/table-definition.ts';
import type { World } from '../world/world.ts';
import { SandboxKey } from './api-key.ts';
import { AllowedOrigin, IpEntry, RequestsPerMinute } from './settings.ts';

const PartnerSettings = z.strictObject({
  ipAllowList: z.array(IpEntry),
  allowedOrigins: z.array(AllowedOrigin),
  rateLimitPerMinute: RequestsPerMinute,
  lowThreshold: StoredAmount,
  alertThreshold: StoredAmount,
});

/** What a partner sets in the Settings page (interface section 5.4 and 5.5), and the two balance thresholds. */
export type PartnerSettings = RowOf<typeof PartnerSettings>;

const Partner = rowSchema({ name: z.string(), createdAt: StoredTime, settings: PartnerSettings });

/** A tenant: every record belongs to one, and one API key opens exactly one (interface section 1). */
export type Partner = RowOf<typeof Partner>;

/** The tenants. */
export const partners = defineTable({ kind: 'partner', row: Partner, unique: {}, groups: {} });

const ApiKey = rowSchema({
  // The id is the key itself, so that finding it is one look-up.
  id: SandboxKey,
  /** Sandbox time in milliseconds at which a rotated key stops working; null for the current one. */
  validUntil: z.int().nullable(),
});

/** A key of a partner, which is its id. */
type ApiKeyRow = RowOf<typeof ApiKey>;

/** Keys, rotated ones included: so that whoever uses one is told what became of it. */
export const apiKeys = defineTable({ kind: 'API key', row: ApiKey, unique: {}, groups: {} });

/** So many keys of a partner are kept, but for those that still work. */
export const MAX_KEPT_KEYS = 1_000;

/** When a key stopped working, in milliseconds; null while it works. */
export function endOf(world: World, { validUntil }: ApiKeyRow): number | null {
  return validUntil !== null && world.clock.now() >= validUntil ? validUntil : null;
}

/** What partners and their keys keep to. */
export const partnerRules: readonly RowRule[] = [
  rowRule(partners, ({ id, partnerId }) =>
    id === partnerId ? null : "partnerId: must be the partner's own id",
  ),
  rowRule(partners, ({ id }, world) => {
    const keys = world.table(apiKeys).ofPartner(id);
    const current = keys.filter(key => world.table(apiKeys).existing(key).validUntil === null);
    const isFine = current.length === 1 && current[0] === keys.at(-1);
    return isFine
      ? null
      : 'id: the last of its API keys, and no other, must be without an end (validUntil null)';
  }),
];

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

/** How a control call names the partner it means. */
export const partnerChoice = z.string().optional().describe('The first partner when left out.');

/** The partner that a control call means: the one named, or the first. Throws the 404 for an unknown one. */
export function partnerOrFirst(world: World, partnerId: string | undefined): Partner {
  if (partnerId !== undefined) return world.table(partners).existing(partnerId);
  const [first] = world.table(partners).all();
  if (first === undefined) throw new Error('this world has no partner');
  return first;
}
