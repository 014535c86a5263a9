import * as z from 'zod';
import { assumed, cause, documented, notFound, unknownRecord } from '../../core/operation/errors.ts';
import { operation, reply } from '../../core/operation/operation.ts';
import { pageOf, paginate, pagingQuery } from '../../core/store/paging.ts';
import { listOf, type RowList } from '../../core/store/persistent/row-list.ts';
import { periodQuery } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import {
  type DeliveryRow,
  deliveries,
  isListed,
  viewWebhookConfig,
  viewWebhookEvent,
  viewWebhookEventDetails,
  webhookConfigOf,
} from './records.ts';
import { CONFIG_CAUSES, changeWebhookConfig } from './rules.ts';
import {
  DELIVERY_STATUSES,
  WebhookConfig,
  WebhookConfigChange,
  WebhookEvent,
  WebhookEventDetails,
} from './schema.ts';
import { NOT_FAILED, retryDelivery } from './sending.ts';

const getWebhookConfig = operation({
  id: 'webhooks.getConfig',
  plane: 'partner',
  method: 'GET',
  path: '/partner/webhooks/config',
  summary: 'Get the webhook configuration',
  fidelity: documented('4.7'),
  responses: { 200: WebhookConfig },
  run: ({ state, partner }) => reply(200, viewWebhookConfig(webhookConfigOf(state, partner.id))),
});

const updateWebhookConfig = operation({
  id: 'webhooks.updateConfig',
  plane: 'partner',
  method: 'PATCH',
  path: '/partner/webhooks/config',
  summary: 'Change the webhook configuration',
  fidelity: documented('4.8'),
  body: WebhookConfigChange,
  trustedPagesOnly: true,
  responses: { 200: WebhookConfig },
  hints: ({ body: { webhookSecret } }) =>
    typeof webhookSecret === 'string' && webhookSecret !== webhookSecret.trim()
      ? ['body.webhookSecret has white space at an end, which is part of the secret']
      : [],
  causes: [...CONFIG_CAUSES, cause(400, assumed('webhook-config-origin'))],
  run({ state, partner, body }) {
    const replaces = state.assumptions['patch-config'] === 'replace';
    return reply(200, viewWebhookConfig(changeWebhookConfig(state, partner.id, body, replaces)));
  },
});

const listWebhookEvents = operation({
  id: 'webhooks.listEvents',
  plane: 'partner',
  method: 'GET',
  path: '/partner/webhooks/events',
  summary: 'List webhook delivery events',
  fidelity: documented('4.9'),
  query: z.object({
    ...pagingQuery,
    status: z.enum(DELIVERY_STATUSES).optional(),
    eventType: z.enum(EVENT_TYPES).optional(),
    ...periodQuery,
  }),
  hints: ({ query: { eventType } }, { state }) =>
    eventType === undefined || isListed(eventType, state.assumptions)
      ? []
      : [
          `query.eventType ${eventType} is never listed, so nothing can match; GET /_sandbox/deliveries lists it`,
        ],
  responses: { 200: pageOf(WebhookEvent) },
  run({ state, partner, query }) {
    const list = recordedDeliveries(state, partner.id, query).within(query);
    return reply(200, paginate(state, list, query, viewWebhookEvent));
  },
});

const getWebhookEvent = operation({
  id: 'webhooks.getEvent',
  plane: 'partner',
  method: 'GET',
  path: '/partner/webhooks/events/{eventId}',
  summary: 'Get a webhook delivery event with its payload',
  fidelity: documented('4.10'),
  responses: { 200: WebhookEventDetails },
  causes: [unknownRecord(deliveries.kind)],
  run: ({ state, partner, params }) =>
    reply(200, viewWebhookEventDetails(recordedEvent(state, partner.id, params.eventId))),
});

const retryWebhookEvent = operation({
  id: 'webhooks.retryEvent',
  plane: 'partner',
  method: 'POST',
  path: '/partner/webhooks/events/{eventId}/retry',
  summary: 'Retry a failed webhook delivery event',
  fidelity: documented('4.11'),
  responses: { 200: WebhookEventDetails },
  causes: [unknownRecord(deliveries.kind), NOT_FAILED],
  run({ state, partner, params }) {
    const row = recordedEvent(state, partner.id, params.eventId);
    return reply(200, viewWebhookEventDetails(retryDelivery(state, row)));
  },
});

/** Returns a partner's deliveries that the API shows, of a status and an event type; an omitted one matches all. */
function recordedDeliveries(
  state: WorldState,
  partnerId: string,
  { status, eventType }: { readonly status?: string | undefined; readonly eventType?: EventType | undefined },
): RowList<DeliveryRow> {
  const table = state.table(deliveries);
  if (eventType !== undefined && !isListed(eventType, state.assumptions)) return listOf();
  if (eventType !== undefined) {
    return status === undefined
      ? table.group('partnerType', `${partnerId} ${eventType}`)
      : table.group('partnerTypeStatus', `${partnerId} ${eventType} ${status}`);
  }
  return status === undefined
    ? table.group('recorded', partnerId)
    : table.group('recordedStatus', `${partnerId} ${status}`);
}

/** Returns a partner's delivery that the API shows. Throws a 404 for any other. */
function recordedEvent(state: WorldState, partnerId: string, id: string): DeliveryRow {
  const row = state.table(deliveries).getOwn(partnerId, id);
  if (!isListed(row.eventType, state.assumptions)) throw notFound('delivery event', id);
  return row;
}

/** Operations on webhooks, in the order of the interface. */
export const webhookOperations = [
  getWebhookConfig,
  updateWebhookConfig,
  listWebhookEvents,
  getWebhookEvent,
  retryWebhookEvent,
];
