import * as z from 'zod';
import { redactBody } from '../../kernel/journal/redact.ts';
import { type RowOf, rowSchema, StoredId, StoredTime } from '../../kernel/store/row.ts';
import { defineTable } from '../../kernel/store/table-definition.ts';
import {
  DELIVERY_STATUSES,
  type Delivery,
  DeliveryAttempt,
  EVENT_TYPES,
  RECORDED_TYPES,
  type WebhookEvent,
  type WebhookEventDetails,
} from './schema.ts';

/** A row of the deliveries: one event on its way to one partner. Its id is the event's. */
const DeliveryRow = rowSchema({
  eventType: z.enum(EVENT_TYPES),
  resourceId: StoredId,
  status: z.enum(DELIVERY_STATUSES),
  /** The text that every attempt sends. */
  body: z.string(),
  createdAt: StoredTime,
  attempts: z.array(DeliveryAttempt),
  /** Whether it was retried by hand, after which there are no automatic retries. */
  isManual: z.boolean(),
  nextRetryAt: StoredTime.nullable(),
  /** The URL configured at the last attempt. */
  webhookUrl: z.string().nullable(),
  lastResponseBody: z.string().nullable(),
  cause: z.string().nullable(),
});

/** One event on its way to one partner. Its id is the event's. */
export type DeliveryRow = RowOf<typeof DeliveryRow>;

type RecordedRow = DeliveryRow & { readonly eventType: (typeof RECORDED_TYPES)[number] };

/** Deliveries of all twelve types; `recorded` holds those that the API lists (interface section 6.1). */
export const deliveries = defineTable({
  kind: 'delivery event',
  row: DeliveryRow,
  unique: {},
  groups: { recorded: row => (isRecorded(row) ? row.partnerId : null) },
});

/** Whether the API shows this delivery: its type is one of the nine that a record names. */
export function isRecorded(row: DeliveryRow): row is RecordedRow {
  const recorded: readonly string[] = RECORDED_TYPES;
  return recorded.includes(row.eventType);
}

/** The delivery as lists show it (interface section 2.5). */
export function viewWebhookEvent(row: DeliveryRow): z.input<typeof WebhookEvent> {
  if (!isRecorded(row)) throw new Error(`${row.eventType} is not in the record's enumeration`);
  return { id: row.id, eventType: row.eventType, ...viewProgress(row) };
}

/** The delivery as a single read shows it (interface section 2.5). */
export function viewWebhookEventDetails(row: DeliveryRow): z.input<typeof WebhookEventDetails> {
  return { ...viewWebhookEvent(row), ...viewContent(row) };
}

/** The delivery as the control plane shows it, every attempt included. */
export function viewDelivery(row: DeliveryRow): z.input<typeof Delivery> {
  const { id, eventType, partnerId, resourceId, cause, attempts } = row;
  return {
    id,
    eventType,
    partnerId,
    resourceId,
    ...viewProgress(row),
    cause,
    ...viewContent(row),
    attempts: [...attempts],
  };
}

function viewProgress({ status, attempts, nextRetryAt, createdAt }: DeliveryRow) {
  const last = attempts.at(-1);
  return {
    status,
    attemptCount: attempts.length,
    lastAttemptAt: last?.at ?? null,
    nextRetryAt,
    lastResponseStatus: last?.status ?? null,
    createdAt,
  };
}

function viewContent({ body, lastResponseBody, webhookUrl }: DeliveryRow) {
  return {
    payload: redactBody(body),
    lastResponseBody: lastResponseBody === null ? null : redactBody(lastResponseBody),
    webhookUrl,
  };
}
