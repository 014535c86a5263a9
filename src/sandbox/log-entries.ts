import type { JournalEntry } from '../core/journal/journal.ts';
import { ruleText } from '../core/operation/errors.ts';
import { redactPath, redactQuery, redactText } from '../core/redaction/redact.ts';
import type { World } from '../core/world/world.ts';
import { attemptCount, type DeliveryRow, deliveries } from '../service/webhooks/records.ts';

/** An API request and its response in a log, with secrets masked. */
export interface RequestLogEntry {
  /** Id of its journal entry. */
  readonly id: string;
  /** The id of the world that handled it. */
  readonly world: string;
  /** Sandbox time, ISO 8601. */
  readonly at: string;
  readonly partnerId: string | null;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly operation: string | null;
  readonly status: number;
  readonly durationMs: number;
  /** Why it was refused; null if it was not. */
  readonly refusal: string | null;
  /** The rule behind the refusal: `interface 4.1`, or `assumption card-moves`. */
  readonly rule: string | null;
  /** The fault that was applied: its id, or `header`; null if none was. */
  readonly fault: string | null;
  /** Whether that fault closed the connection instead of sending a response. */
  readonly dropped: boolean;
  readonly hints: readonly string[];
}

export function toRequestLogEntry(entry: JournalEntry, world: string): RequestLogEntry {
  const { id, at, partnerId, operation, status, rule, fault, dropped } = entry;
  const query = entry.query === '' ? '' : `?${redactQuery(entry.query)}`;
  return {
    id,
    world,
    at,
    partnerId,
    method: redactText(entry.method),
    url: redactPath(entry.path) + query,
    operation,
    status,
    durationMs: Math.round(entry.durationMs * 1000) / 1000,
    refusal: entry.refusal === null ? null : redactText(entry.refusal),
    rule: rule === null ? null : ruleText(rule),
    fault,
    dropped,
    hints: entry.hints.map(each => redactText(each)),
  };
}

/** A webhook delivery in a log: its state after an attempt, or after it failed without one. */
export interface DeliveryLogEntry {
  /** The delivery event's id. */
  readonly id: string;
  /** The id of its world. */
  readonly world: string;
  /** Sandbox time of the attempt, ISO 8601. */
  readonly at: string;
  readonly partnerId: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly status: string;
  /** Attempts made so far. */
  readonly attemptCount: number;
  /** Where the attempt was sent; null if no URL was configured. */
  readonly url: string | null;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  /** Why it is not delivered; null if it is. */
  readonly cause: string | null;
  readonly nextRetryAt: string | null;
  /** The webhook fault that affected the attempt; null if none did. */
  readonly fault: string | null;
  /** Whether the attempt was the additional request of that fault. */
  readonly isExtra: boolean;
}

function toDeliveryLogEntry(row: DeliveryRow, world: string): DeliveryLogEntry {
  const { id, partnerId, eventType, resourceId, status, attempts, cause, nextRetryAt, createdAt } = row;
  const last = attempts.at(-1);
  const isExtra = last?.extra === true;
  const url = last?.url ?? null;
  return {
    id,
    world,
    at: last?.at ?? createdAt,
    partnerId,
    eventType,
    resourceId,
    status,
    attemptCount: attemptCount(row),
    url: url === null ? null : redactText(url),
    responseStatus: last?.status ?? null,
    durationMs: last?.durationMs ?? 0,
    cause: isExtra ? last.cause : cause,
    nextRetryAt,
    fault: last?.fault ?? null,
    isExtra,
  };
}

/** Calls `log` for every delivery after each attempt, and for every delivery that failed without one. */
export function logDeliveries(
  world: Pick<World, 'id' | 'feed' | 'state'>,
  log: (entry: DeliveryLogEntry) => void,
  onBug: (error: unknown, where: string) => void,
): void {
  world.feed.subscribe(message => {
    if (message.kind !== 'delivery') return;
    const row = world.state.table(deliveries).get(message.id);
    if (row === undefined || (message.step !== 'attempted' && row.status !== 'failed')) return;
    try {
      log(toDeliveryLogEntry(row, world.id));
    } catch (error) {
      onBug(error, 'a delivery listener');
    }
  });
}
