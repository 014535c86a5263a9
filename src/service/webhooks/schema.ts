import * as z from 'zod';
import { followsSetting } from '../../core/operation/errors.ts';
import { boundedList } from '../../core/values/bounded-list.ts';
import { TimestampText } from '../../core/values/timestamp.ts';
import { EVENT_TYPES, RECORDED_TYPES } from './event-types.ts';

/** States of a delivery (interface section 3.4). */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Minimum length of a signing secret (interface section 8). */
const MIN_SECRET_LENGTH = 16;

/** Webhook configuration (interface section 2.6); URL and secret are null before they are set. */
export const WebhookConfig = z
  .strictObject({
    // Without a format: it is as it was sent, and more is accepted than URIs, such as https://app.example/é.
    webhookUrl: z
      .string()
      .nullable()
      .describe('Where events are sent. Null until it is set, which is assumed.')
      .meta(followsSetting('unset-config')),
    webhookSecret: z
      .string()
      .nullable()
      .describe('Signing secret for HMAC-SHA256. Null until it is set, which is assumed.')
      .meta(followsSetting('unset-config')),
    subscribedEvents: z.array(z.enum(EVENT_TYPES)).describe('Subscribed event types.'),
  })
  .meta({ id: 'WebhookConfig' });

/** The signing secret, at least 16 characters. */
export const WebhookSecret = z.string().min(MIN_SECRET_LENGTH);

/** The event types to subscribe to; duplicates are dropped. */
export const SubscribedEvents = boundedList(z.enum(EVENT_TYPES)).transform(types => [...new Set(types)]);

/** Body of a configuration change (interface section 4.8), with any of the three fields. */
export const WebhookConfigChange = z
  .object({
    webhookUrl: z
      .string()
      .meta({ format: 'uri', pattern: '^https://' })
      .nullable()
      .optional()
      .describe('An absolute https:// URL. Null clears it, which is assumed.'),
    webhookSecret: WebhookSecret.optional().describe('Signing secret for HMAC-SHA256.'),
    subscribedEvents: SubscribedEvents.optional().describe(
      'Event types to subscribe to; duplicates are dropped.',
    ),
  })
  .meta({ id: 'WebhookConfigChange' });

/** A delivery as lists show it (interface section 2.5). */
export const WebhookEvent = z
  .strictObject({
    id: z.string(),
    eventType: z.enum(RECORDED_TYPES).meta(followsSetting('event-history')),
    status: z.enum(DELIVERY_STATUSES),
    attemptCount: z.int().describe('Number of attempts made.'),
    lastAttemptAt: TimestampText.nullable().describe('Time of the latest attempt, ISO 8601.'),
    nextRetryAt: TimestampText.nullable().describe(
      'Time of the next scheduled retry, ISO 8601; null when none is scheduled.',
    ),
    lastResponseStatus: z.int().nullable().describe('HTTP status of the latest attempt.'),
    createdAt: TimestampText,
  })
  .meta({ id: 'WebhookEvent' });

const details = {
  payload: z.string().describe('The JSON body that every attempt sends, secrets masked.'),
  lastResponseBody: z
    .string()
    .nullable()
    .describe('The response body of the latest attempt, secrets masked.'),
  webhookUrl: z.string().nullable().describe('The destination; null if not configured.'),
};

/** A delivery as a single read shows it (interface section 2.5). */
export const WebhookEventDetails = WebhookEvent.extend(details).meta({ id: 'WebhookEventDetails' });

/** An attempt, as the control plane shows it. */
export const DeliveryAttempt = z
  .strictObject({
    at: TimestampText,
    url: z.string().nullable().describe('The actual destination; null if not configured.'),
    requestHeaders: z.record(z.string(), z.string()),
    status: z.int().nullable().describe('Status of the response; null without one.'),
    cause: z.string().nullable().describe('Why it failed, in words; null for a 2xx response.'),
    durationMs: z.number().describe('Wall time, in milliseconds.'),
    fault: z.string().nullable().describe('The webhook fault that affected it.'),
    repeatStatus: z
      .int()
      .nullable()
      .optional()
      .describe(
        'Status of the response to the second request of a `duplicate`; null without a response, missing otherwise.',
      ),
    redelivery: z
      .literal(true)
      .optional()
      .describe('Whether it was requested as a redelivery; missing otherwise.'),
    extra: z
      .literal(true)
      .optional()
      .describe('Whether it was an additional request of an exam, which counts nowhere; missing otherwise.'),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A delivery of any event type, as the control plane shows it. */
export const Delivery = WebhookEvent.extend({
  ...details,
  eventType: z.enum(EVENT_TYPES),
  partnerId: z.string(),
  resourceId: z.string(),
  cause: z.string().nullable().describe('Why it is not delivered, in words.'),
  attempts: z.array(DeliveryAttempt).describe('The newest 1,000.'),
  droppedAttempts: z
    .int()
    .optional()
    .describe(
      'Number of older attempts that attemptCount counts and attempts does not list; missing for none.',
    ),
}).meta({ id: 'Delivery' });
