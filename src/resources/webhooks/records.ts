import { defineTable, type Row } from '../../kernel/store.ts';
import type { World } from '../../kernel/world.ts';
import type { EventType } from './schema.ts';

/** A partner's webhook configuration; its id is the partner's. */
export interface WebhookConfigRow extends Row {
  readonly webhookUrl: string | null;
  readonly webhookSecret: string | null;
  readonly subscribedEvents: readonly EventType[];
}

/** Webhook configurations, of the partners that have one. */
export const webhookConfigs = defineTable<WebhookConfigRow>()({
  kind: 'webhook configuration',
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
