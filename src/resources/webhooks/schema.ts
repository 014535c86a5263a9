import * as z from 'zod';

/** The twelve event types of interface section 6.1. */
export const EVENT_TYPES = [
  'card.transaction',
  'card.issued',
  'card.status.changed',
  'card.3ds_otp',
  'cardholder.kyc.updated',
  'cardholder.approved',
  'cardholder.created',
  'balance.low',
  'balance.alert',
  'balance.top_up',
  'kyc_session.completed',
  'kyc_session.failed',
] as const;

/** One of the event types of interface section 6.1. */
export type EventType = (typeof EVENT_TYPES)[number];

/** Shortest signing secret (interface section 8). */
const SHORTEST_SECRET = 16;

/** Webhook configuration (interface section 2.6); URL and secret are null before they are set. */
export const WebhookConfig = z.strictObject({
  webhookUrl: z.string().nullable().describe('Where events are sent.'),
  webhookSecret: z.string().nullable().describe('Signing secret for HMAC-SHA256.'),
  subscribedEvents: z.array(z.enum(EVENT_TYPES)).describe('Event types subscribed to.'),
});

/** The signing secret, at least 16 characters. */
export const WebhookSecret = z.string().min(SHORTEST_SECRET);

/** The event types to subscribe to; duplicates are dropped. */
export const SubscribedEvents = z.array(z.enum(EVENT_TYPES)).transform(types => [...new Set(types)]);

/** Body of a configuration change (interface section 4.8): any of the three. */
export const WebhookConfigChange = z.object({
  webhookUrl: z.string().nullable().optional(),
  webhookSecret: WebhookSecret.optional(),
  subscribedEvents: SubscribedEvents.optional(),
});
