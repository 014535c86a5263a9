import * as z from 'zod';
import { partners } from '../../kernel/access/partners.ts';
import { type RowOf, rowSchema } from '../../kernel/store/row.ts';
import { defineTable } from '../../kernel/store/store.ts';
import { RandomStream } from '../../kernel/values/random.ts';
import type { World } from '../../kernel/world/world.ts';
import { EVENT_TYPES, WebhookSecret } from './schema.ts';

const WebhookConfigRow = rowSchema({
  webhookUrl: z.string().nullable(),
  webhookSecret: WebhookSecret.nullable(),
  subscribedEvents: z.array(z.enum(EVENT_TYPES)),
});

/** A partner's webhook configuration; its id is the partner's. */
export type WebhookConfigRow = RowOf<typeof WebhookConfigRow>;

/** Length of a secret that is made up, without its prefix. */
const SECRET_LENGTH = 24;

/** Webhook configurations, of the partners that have one. */
export const webhookConfigs = defineTable({
  kind: 'webhook configuration',
  row: WebhookConfigRow,
  unique: {},
  groups: {},
});

/**
 * A partner's webhook configuration. Before it is set it is empty; in a sandbox that forwards all webhooks, it
 * then has all types sent there, signed with a secret of the partner's own.
 */
export function webhookConfigOf(world: World, partnerId: string): WebhookConfigRow {
  const row = world.table(webhookConfigs).get(partnerId);
  if (row !== undefined) return row;
  const { forwardTo } = world.options;
  const none = { webhookUrl: null, webhookSecret: null, subscribedEvents: [] };
  return {
    id: partnerId,
    partnerId,
    ...(forwardTo === null ? none : forwarding(world, forwardTo, partnerId)),
  };
}

function forwarding({ options }: World, webhookUrl: string, partnerId: string) {
  const letters = new RandomStream(options.seed, `webhook-secret ${partnerId}`).letters(SECRET_LENGTH);
  return { webhookUrl, webhookSecret: `whsec_${letters}`, subscribedEvents: EVENT_TYPES };
}

/** The configuration as the API shows it (interface section 2.6). */
export function viewWebhookConfig({ webhookUrl, webhookSecret, subscribedEvents }: WebhookConfigRow) {
  return { webhookUrl, webhookSecret, subscribedEvents: [...subscribedEvents] };
}

/** The secrets of partners that have no configuration of their own, by partner id: whoever receives has to know them. */
export function generatedSecrets(world: World): Readonly<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const { id } of world.table(partners).all()) {
    const { webhookSecret } = webhookConfigOf(world, id);
    const isOwn = world.table(webhookConfigs).get(id) !== undefined;
    if (!isOwn && webhookSecret !== null) secrets[id] = webhookSecret;
  }
  return secrets;
}
