import * as z from 'zod';
import { TimestampText } from '../../kernel/values/timestamp.ts';

/** The nine event types that a delivery record names (interface section 6.1). */
export const RECORDED_TYPES = [
  'card.transaction',
  'card.issued',
  'card.status.changed',
  'cardholder.kyc.updated',
  'cardholder.created',
  'balance.low',
  'balance.top_up',
  'kyc_session.completed',
  'kyc_session.failed',
] as const;

/** The twelve event types of interface section 6.1. */
export const EVENT_TYPES = [
  ...RECORDED_TYPES,
  'card.3ds_otp',
  'cardholder.approved',
  'balance.alert',
] as const;

/** One of the event types of interface section 6.1. */
export type EventType = (typeof EVENT_TYPES)[number];

/** States of a delivery (interface section 3.4). */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Shortest signing secret (interface section 8). */
const MIN_SECRET_LENGTH = 16;

/** Webhook configuration (interface section 2.6); URL and secret are null before they are set. */
export const WebhookConfig = z
  .strictObject({
    webhookUrl: z
      .string()
      .nullable()
      .describe('Where events are sent. That it is null before it is set is assumed.'),
    webhookSecret: z
      .string()
      .nullable()
      .describe('Signing secret for HMAC-SHA256. That it is null before it is set is assumed.'),
    subscribedEvents: z.array(z.enum(EVENT_TYPES)).describe('Event types subscribed to.'),
  })
  .meta({ id: 'WebhookConfig' });

/** The signing secret, at least 16 characters. */
export const WebhookSecret = z.string().min(MIN_SECRET_LENGTH);

/** The event types to subscribe to; duplicates are dropped. */
export const SubscribedEvents = z.array(z.enum(EVENT_TYPES)).transform(types => [...new Set(types)]);

/** Body of a configuration change (interface section 4.8): any of the three. */
export const WebhookConfigChange = z
  .object({
    webhookUrl: z
      .string()
      .nullable()
      .optional()
      .describe('An absolute https:// URL. That null clears it is assumed.'),
    webhookSecret: WebhookSecret.optional(),
    subscribedEvents: SubscribedEvents.optional(),
  })
  .meta({ id: 'WebhookConfigChange' });

/** A delivery as lists show it (interface section 2.5). */
export const WebhookEvent = z
  .strictObject({
    id: z.string(),
    eventType: z.enum(RECORDED_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    attemptCount: z.int().describe('Delivery attempts made.'),
    lastAttemptAt: TimestampText.nullable().describe('ISO 8601 timestamp of the last attempt.'),
    nextRetryAt: TimestampText.nullable().describe(
      'ISO 8601 timestamp of the next scheduled retry; null when none is pending.',
    ),
    lastResponseStatus: z.int().nullable().describe('HTTP status of the last attempt.'),
    createdAt: TimestampText,
  })
  .meta({ id: 'WebhookEvent' });

const details = {
  payload: z.string().describe('JSON body that was or will be sent, secrets masked.'),
  lastResponseBody: z.string().nullable().describe('Body of the last answer, secrets masked.'),
  webhookUrl: z.string().nullable().describe('Destination; null if not configured.'),
};

/** A delivery as a single read shows it (interface section 2.5). */
export const WebhookEventDetails = WebhookEvent.extend(details).meta({ id: 'WebhookEventDetails' });

/** One attempt, as the control plane tells it. */
export const DeliveryAttempt = z
  .strictObject({
    at: TimestampText,
    url: z.string().nullable().describe('Where it really went; null when nothing was configured.'),
    requestHeaders: z.record(z.string(), z.string()),
    status: z.int().nullable().describe('Status of the answer; null when there was none.'),
    cause: z.string().nullable().describe('Why it failed, in words; null for a 2xx answer.'),
    durationMs: z.number().describe('Wall time, in milliseconds.'),
    fault: z.string().nullable().describe('The webhook fault that bent it.'),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A delivery of any of the twelve types, as the control plane shows it. */
export const Delivery = WebhookEvent.extend({
  ...details,
  eventType: z.enum(EVENT_TYPES),
  partnerId: z.string(),
  resourceId: z.string(),
  cause: z.string().nullable().describe('Why it is not delivered, in words.'),
  attempts: z.array(DeliveryAttempt),
}).meta({ id: 'Delivery' });
