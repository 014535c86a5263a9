import { redactText } from '../kernel/journal/redact.ts';
import type { DeliveryRow } from '../resources/webhooks/deliveries.ts';

/** A webhook delivery as a log tells it after each attempt; also when it fails without one. */
export interface DeliveryLogEntry {
  /** The delivery event's id. */
  readonly id: string;
  /** Sandbox time of the attempt, ISO 8601. */
  readonly at: string;
  readonly partnerId: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly status: string;
  /** Attempts made so far. */
  readonly attemptCount: number;
  /** Where it went; null when nothing was configured. */
  readonly url: string | null;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** Why it is not delivered; null when it is. */
  readonly cause: string | null;
  readonly nextRetryAt: string | null;
}

/** What a log tells of a delivery whose last attempt has ended. */
export function toDeliveryLogEntry(row: DeliveryRow): DeliveryLogEntry {
  const { id, partnerId, eventType, resourceId, status, attempts, cause, nextRetryAt, createdAt } = row;
  const last = attempts.at(-1);
  const url = last?.url ?? null;
  return {
    id,
    at: last?.at ?? createdAt,
    partnerId,
    eventType,
    resourceId,
    status,
    attemptCount: attempts.length,
    url: url === null ? null : redactText(url),
    responseStatus: last?.status ?? null,
    durationMs: last?.durationMs ?? 0,
    cause,
    nextRetryAt,
  };
}
