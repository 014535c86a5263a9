import * as z from 'zod';
import { type RowOf, rowSchema } from '../../kernel/row.ts';
import { defineTable } from '../../kernel/store.ts';
import type { World } from '../../kernel/world.ts';
import { EVENT_TYPES, WebhookSecret } from './schema.ts';

const WebhookConfigRow = rowSchema({
  webhookUrl: z.string().nullable(),
  webhookSecret: WebhookSecret.nullable(),
  subscribedEvents: z.array(z.enum(EVENT_TYPES)),
});

/** A partner's webhook configuration; its id is the partner's. */
export type WebhookConfigRow = RowOf<typeof WebhookConfigRow>;

/** Webhook configurations, of the partners that have one. */
export const webhookConfigs = defineTable({
  kind: 'webhook configuration',
  row: WebhookConfigRow,
  unique: {},
  groups: {},
});

/** A partner's webhook configuration, empty before it is set. */
export function webhookConfigOf(world: World, partnerId: string): WebhookConfigRow {
  const empty = { id: partnerId, partnerId, webhookUrl: null, webhookSecret: null, subscribedEvents: [] };
  return world.table(webhookConfigs).get(partnerId) ?? empty;
}

/** The configuration as the API shows it (interface section 2.6). */
export function viewWebhookConfig({ webhookUrl, webhookSecret, subscribedEvents }: WebhookConfigRow) {
  return { webhookUrl, webhookSecret, subscribedEvents: [...subscribedEvents] };
}
