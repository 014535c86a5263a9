import * as z from 'zod';
import { type RowRule, rowRule } from '../store/row-rule.ts';
import { defineTable, type RowOf, rowSchema, StoredAmount, StoredTime } from '../store/table-definition.ts';
import { boundedList } from '../values/bounded-list.ts';
import type { WorldState } from '../world/world-state.ts';
import { AllowedOrigin, IpEntry, RequestsPerMinute } from './settings-schema.ts';

const PartnerSettings = () =>
  z.strictObject({
    ipAllowList: boundedList(IpEntry),
    allowedOrigins: boundedList(AllowedOrigin),
    rateLimitPerMinute: RequestsPerMinute,
    lowThreshold: StoredAmount,
    alertThreshold: StoredAmount,
  });

/** A partner's settings (interface sections 5.4 and 5.5) and its two balance thresholds. */
export type PartnerSettings = RowOf<typeof PartnerSettings>;

const Partner = rowSchema(() => ({ name: z.string(), createdAt: StoredTime, settings: PartnerSettings() }));

/** A tenant: every record belongs to one partner, and an API key identifies one (interface section 1). */
export type Partner = RowOf<typeof Partner>;

export const partners = defineTable({ kind: 'partner', row: Partner });

const ApiKey = rowSchema(() => ({
  // The id is the key itself, so that authentication is one lookup.
  id: SandboxKey,
  /** Sandbox time in milliseconds at which a rotated key stops working; null for the current one. */
  validUntil: z.int().nullable(),
}));

export type ApiKeyRow = RowOf<typeof ApiKey>;

/** The table of API keys. It keeps rotated keys, so that a 401 can say when the key was rotated. */
export const apiKeys = defineTable({
  kind: 'API key',
  row: ApiKey,
  timeOf: ({ validUntil }) => validUntil ?? Number.POSITIVE_INFINITY,
});

/** Cap on the keys kept for one partner; keys that still work are always kept. */
export const MAX_KEYS = 1_000;

export const partnerRules: readonly RowRule[] = [
  rowRule(partners, ({ id, partnerId }) =>
    id === partnerId ? null : "partnerId: must be the partner's own id",
  ),
  rowRule(partners, ({ id }, state) => {
    const keys = state.table(apiKeys).ofPartner(id);
    const current = [...keys].filter(({ validUntil }) => validUntil === null);
    const isValid = current.length === 1 && current[0] === keys.at(-1);
    return isValid ? null : 'id: exactly the last of its API keys must have no end (validUntil null)';
  }),
];

export function currentKey(state: WorldState, partnerId: string): string {
  const key = state.table(apiKeys).ofPartner(partnerId).at(-1);
  if (key === undefined) throw new Error(`partner ${partnerId} has no API key`);
  return key.id;
}

export interface PartnerKey {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

/** All partners with their current keys, oldest first. */
export function partnerKeys(state: WorldState): PartnerKey[] {
  const all = [...state.table(partners).all()];
  return all.map(({ id, name }) => ({ id, name, apiKey: currentKey(state, id) }));
}

export const partnerChoice = z.string().optional().describe('Default: the first partner.');

/** Returns the selected partner; the default is the first. Throws the 404 for an unknown id. */
export function partnerOrFirst(state: WorldState, partnerId: string | undefined): Partner {
  if (partnerId !== undefined) return state.table(partners).existing(partnerId);
  const [first] = state.table(partners).all();
  if (first === undefined) throw new Error('this world has no partner');
  return first;
}

/** The prefix of sandbox keys (interface section 5.2). */
export const KEY_PREFIX = 'sk_test_';

const KEY_LENGTH = 24;

/** A sandbox key. The message never repeats the input, which may be a live key. */
export const SandboxKey = z
  .string()
  .regex(
    new RegExp(`^${KEY_PREFIX}[\\w-]+$`),
    `must be ${KEY_PREFIX} followed by letters, digits, _ or -; live keys are never stored`,
  );

/** Generates a sandbox key of a world. No other world of the server has it. */
export function newApiKey({ secrets, setup }: Pick<WorldState, 'secrets' | 'setup'>): string {
  return setup.toWorldKey(KEY_PREFIX + secrets.stream('api-key').letters(KEY_LENGTH));
}
