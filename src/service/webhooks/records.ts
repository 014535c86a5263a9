import * as z from 'zod';
import { partners } from '../../core/access/partners.ts';
import { type RowOf, rowSchema } from '../../core/store/row.ts';
import { defineTable } from '../../core/store/table-definition.ts';
import { boundedList } from '../../core/values/bounded-list.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { EVENT_TYPES } from './event-types.ts';
import { WebhookSecret } from './schema.ts';

const WebhookConfigRow = rowSchema(() => ({
  webhookUrl: z.string().nullable(),
  webhookSecret: WebhookSecret.nullable(),
  subscribedEvents: boundedList(z.enum(EVENT_TYPES)),
}));

/** A partner's webhook configuration; its id is the partner's id. */
export type WebhookConfigRow = RowOf<typeof WebhookConfigRow>;

/** A configuration of which nothing is set. */
export const UNSET_CONFIG = { webhookUrl: null, webhookSecret: null, subscribedEvents: [] } as const;

/** Length of a generated secret, without its prefix. */
const SECRET_LENGTH = 24;

/** Webhook configurations of the partners that have set one. */
export const webhookConfigs = defineTable({
  kind: 'webhook configuration',
  row: WebhookConfigRow,
  unique: {},
  groups: {},
});

/**
 * Returns a partner's webhook configuration. Until it is set, it is empty; when webhooks are forwarded, it sends
 * all event types there, signed with a generated secret of the partner.
 */
export function webhookConfigOf(state: WorldState, partnerId: string): WebhookConfigRow {
  const row = state.table(webhookConfigs).get(partnerId);
  if (row !== undefined) return row;
  const { url } = state.forwarding();
  if (url === null) return { id: partnerId, partnerId, ...UNSET_CONFIG };
  const webhookSecret = generatedSecret(state, partnerId);
  return { id: partnerId, partnerId, webhookUrl: url, webhookSecret, subscribedEvents: EVENT_TYPES };
}

/** The generated secrets by partner id, because each attempt signs with one. */
const createSecretCache = (_state: WorldState) => new Map<string, string>();

/** The webhook secret of a partner who has configured none, always the same. */
export function generatedSecret(state: WorldState, partnerId: string): string {
  const cache = state.part(createSecretCache);
  let secret = cache.get(partnerId);
  if (secret === undefined) {
    secret = `whsec_${state.secrets.fixed(`webhook-secret ${partnerId}`).letters(SECRET_LENGTH)}`;
    cache.set(partnerId, secret);
  }
  return secret;
}

/** Returns the configuration as the API shows it (interface section 2.6). */
export function viewWebhookConfig({ webhookUrl, webhookSecret, subscribedEvents }: WebhookConfigRow) {
  return { webhookUrl, webhookSecret, subscribedEvents: [...subscribedEvents] };
}

/** Returns the webhook secrets by partner id, of the partners that have one. */
export function webhookSecrets(state: WorldState): Readonly<Record<string, string>> {
  const all = [...state.table(partners).all()].map(({ id }) => [
    id,
    webhookConfigOf(state, id).webhookSecret,
  ]);
  return Object.fromEntries(all.filter(([, secret]) => secret !== null));
}

/** Returns the generated secrets by partner id, for the receiver. Partners with a configuration of their own have none. */
export function generatedSecrets(state: WorldState): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const { id } of state.table(partners).all()) {
    const { webhookSecret } = webhookConfigOf(state, id);
    const isOwn = state.table(webhookConfigs).get(id) !== undefined;
    if (!isOwn && webhookSecret !== null) secrets[id] = webhookSecret;
  }
  return secrets;
}
