import * as z from 'zod';
import { partners } from '../../core/access/partners.ts';
import { redactBody } from '../../core/redaction/redact.ts';
import {
  defineTable,
  type RowOf,
  rowSchema,
  StoredId,
  StoredTime,
} from '../../core/store/table-definition.ts';
import { boundedList } from '../../core/values/bounded-list.ts';
import type { AssumptionValues } from '../../core/values/setting.ts';
import { timeOf } from '../../core/values/timestamp.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import { EVENT_TYPES, type EventType, isRecordedType, type RecordedType } from './event-types.ts';
import { HOLDING_KINDS, WEBHOOK_FAULT_KINDS } from './fault-kinds.ts';
import {
  DELIVERY_STATUSES,
  type Delivery,
  DeliveryAttempt,
  type WebhookEvent,
  type WebhookEventDetails,
  WebhookSecret,
} from './schema.ts';

const WebhookConfigRow = rowSchema(() => ({
  webhookUrl: z.string().nullable(),
  webhookSecret: WebhookSecret.nullable(),
  subscribedEvents: boundedList(z.enum(EVENT_TYPES)),
}));

/** A partner's webhook configuration; its id is the partner's id. */
export type WebhookConfigRow = RowOf<typeof WebhookConfigRow>;

export const UNSET_CONFIG = { webhookUrl: null, webhookSecret: null, subscribedEvents: [] } as const;

/** Length of a generated secret, without its prefix. */
const SECRET_LENGTH = 24;

/** Webhook configurations of the partners that have set one. */
export const webhookConfigs = defineTable({
  kind: 'webhook configuration',
  row: WebhookConfigRow,
});

/** Returns the configuration that a partner has stored. */
export function ownConfigOf(state: WorldState, partnerId: string): WebhookConfigRow {
  return state.table(webhookConfigs).get(partnerId) ?? { id: partnerId, partnerId, ...UNSET_CONFIG };
}

/**
 * Returns the webhook configuration that is in force for a partner. Without a URL of its own, it sends to the forwarding
 * URL, if there is one, signed with the partner's secret: all event types, unless the partner has subscribed to some.
 */
export function webhookConfigOf(state: WorldState, partnerId: string): WebhookConfigRow {
  const row = ownConfigOf(state, partnerId);
  const { url } = state.setup.forwarding();
  if (url === null || row.webhookUrl !== null) return row;
  const webhookSecret = webhookSecretOf(state, partnerId);
  const subscribedEvents = row.subscribedEvents.length === 0 ? EVENT_TYPES : row.subscribedEvents;
  return { ...row, webhookUrl: url, webhookSecret, subscribedEvents };
}

/** Returns the secret that signs a partner's webhooks: the configured one, or else a generated one, always the same. */
export function webhookSecretOf(state: WorldState, partnerId: string): string {
  return state.table(webhookConfigs).get(partnerId)?.webhookSecret ?? generatedSecret(state, partnerId);
}

/** The generated secrets by partner id, because each attempt signs with one. */
const createSecretCache = (_state: WorldState) => new Map<string, string>();

/** The webhook secret of a partner who has configured none, always the same. */
function generatedSecret(state: WorldState, partnerId: string): string {
  const cache = state.memo(createSecretCache);
  let secret = cache.get(partnerId);
  if (secret === undefined) {
    secret = `whsec_${state.secrets.newStream(`webhook-secret ${partnerId}`).letters(SECRET_LENGTH)}`;
    cache.set(partnerId, secret);
  }
  return secret;
}

/** Returns the configuration as the API shows it (interface section 2.6). */
export function viewWebhookConfig({ webhookUrl, webhookSecret, subscribedEvents }: WebhookConfigRow) {
  return { webhookUrl, webhookSecret, subscribedEvents: [...subscribedEvents] };
}

/** Returns the secrets that sign the webhooks of all partners, by partner id. */
export function webhookSecrets(state: WorldState): Readonly<Record<string, string>> {
  const all = [...state.table(partners).all()].map(({ id }) => [id, webhookSecretOf(state, id)]);
  return Object.fromEntries(all);
}

/** Returns the secrets of the partners whose webhooks are forwarded without a URL of their own, by partner id. */
export function forwardedSecrets(state: WorldState): Readonly<Record<string, string>> {
  if (state.setup.forwarding().url === null) return {};
  const forwarded = [...state.table(partners).all()].filter(
    ({ id }) => ownConfigOf(state, id).webhookUrl === null,
  );
  return Object.fromEntries(forwarded.map(({ id }) => [id, webhookSecretOf(state, id)]));
}

/** An attempt that is started again, from a state in which its result is unknown, is made with the same. */
const AttemptStart = () =>
  z.strictObject({
    at: StoredTime,
    webhookUrl: z.string(),
    fault: z
      .strictObject({ kind: z.enum(WEBHOOK_FAULT_KINDS), delayMs: z.int().min(0).nullable() })
      .nullable(),
  });

export type AttemptStart = RowOf<typeof AttemptStart>;

const DeliveryRow = rowSchema(() => ({
  eventType: z.enum(EVENT_TYPES),
  resourceId: StoredId,
  status: z.enum(DELIVERY_STATUSES),
  body: z.string(),
  createdAt: StoredTime,
  /** The newest. */
  attempts: z.array(DeliveryAttempt),
  /** How many older attempts were dropped: all but the additional requests and the attempts of the retry schedule. */
  dropped: z.strictObject({ counted: z.int(), scheduled: z.int() }).optional(),
  /** Whether it was retried manually, after which there are no automatic retries. */
  isManual: z.boolean(),
  nextRetryAt: StoredTime.nullable(),
  /** The URL configured at the last attempt. */
  webhookUrl: z.string().nullable(),
  lastResponseBody: z.string().nullable(),
  cause: z.string().nullable(),
  inFlight: AttemptStart().optional(),
  /**
   * The fault that holds the first attempt back, and whether a later delivery releases it. One that is due then, and waits
   * for a newer one that is held back too, has no timer.
   */
  heldBack: z
    .strictObject({
      fault: z.enum(HOLDING_KINDS),
      isOvertakable: z.boolean(),
      isDue: z.literal(true).optional(),
    })
    .optional(),
}));

/** The delivery of one event to one partner. Its id is the event's id. */
export type DeliveryRow = RowOf<typeof DeliveryRow>;

/**
 * Deliveries of all event types. Groups whose names begin with `recorded` have those that the API lists (interface
 * section 6.1); `finished` has those that are delivered or failed, the earliest last attempt first.
 */
export const deliveries = defineTable({
  kind: 'delivery event',
  row: DeliveryRow,
  groups: {
    recorded: (row, assumptions) => (isListed(row.eventType, assumptions) ? row.partnerId : null),
    recordedStatus: (row, assumptions) =>
      isListed(row.eventType, assumptions) ? `${row.partnerId} ${row.status}` : null,
    all: () => '',
    resource: row => row.resourceId,
    type: row => row.eventType,
    status: row => row.status,
    typeStatus: row => `${row.eventType} ${row.status}`,
    partnerType: row => `${row.partnerId} ${row.eventType}`,
    partnerStatus: row => `${row.partnerId} ${row.status}`,
    partnerTypeStatus: row => `${row.partnerId} ${row.eventType} ${row.status}`,
    overtakable: row => (row.heldBack?.isOvertakable ? row.partnerId : null),
    finished: row => (row.status === 'pending' ? null : ''),
  },
  orders: { finished: (a, b) => compareTexts(finishedAt(a), finishedAt(b)) },
  timeOf: row => timeOf(row.createdAt),
});

/** The redeliveries whose attempt has not ended. */
export const redeliveries = defineTable({
  kind: 'redelivery',
  row: rowSchema(() => ({ deliveryId: StoredId, inFlight: AttemptStart().optional() })),
});

function finishedAt({ attempts, createdAt }: DeliveryRow): string {
  return attempts.at(-1)?.at ?? createdAt;
}

/** Cap on the attempts of a delivery that are kept. */
const MAX_ATTEMPTS = 1_000;

/** Whether an attempt was made by the retry schedule or a manual retry. */
const isScheduled = ({ redelivery, extra }: DeliveryRow['attempts'][number]) =>
  redelivery === undefined && extra === undefined;

/** Adds an attempt to a delivery, which keeps the newest. */
export function withAttempt(
  { attempts, dropped = { counted: 0, scheduled: 0 } }: DeliveryRow,
  attempt: DeliveryRow['attempts'][number],
): Pick<DeliveryRow, 'attempts' | 'dropped'> {
  const all = [...attempts, attempt];
  const old = all.slice(0, Math.max(0, all.length - MAX_ATTEMPTS));
  if (old.length === 0) return { attempts: all };
  const counted = dropped.counted + old.filter(({ extra }) => extra === undefined).length;
  const scheduled = dropped.scheduled + old.filter(isScheduled).length;
  return { attempts: all.slice(old.length), dropped: { counted, scheduled } };
}

/** The number of attempts of the retry schedule, dropped ones included. */
export function scheduledAttempts({ attempts, dropped }: Pick<DeliveryRow, 'attempts' | 'dropped'>): number {
  return attempts.filter(isScheduled).length + (dropped?.scheduled ?? 0);
}

/** The number of attempts, dropped ones included. The additional requests of webhook faults do not count. */
export function attemptCount({ attempts, dropped }: Pick<DeliveryRow, 'attempts' | 'dropped'>): number {
  return attempts.filter(({ extra }) => extra === undefined).length + (dropped?.counted ?? 0);
}

/** Stored timestamps sort as texts, which needs no parsing. */
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Whether the API shows the deliveries of an event type: one that delivery records name, unless it shows all. */
export function isListed(eventType: EventType, assumptions: AssumptionValues): boolean {
  return assumptions['event-history'] === 'twelve' || isRecordedType(eventType);
}

/** Returns the delivery as lists show it (interface section 2.5). */
export function viewWebhookEvent(row: DeliveryRow): z.input<typeof WebhookEvent> {
  // Only deliveries that are listed are shown. The schema of the response refuses others.
  const eventType = row.eventType as RecordedType;
  return { id: row.id, eventType, ...viewProgress(row) };
}

/** Returns the delivery as a single read shows it (interface section 2.5). */
export function viewWebhookEventDetails(row: DeliveryRow): z.input<typeof WebhookEventDetails> {
  return { ...viewWebhookEvent(row), ...viewContent(row) };
}

/** Returns the delivery as the control plane shows it, with every attempt. */
export function viewDelivery(row: DeliveryRow): z.input<typeof Delivery> {
  const { id, eventType, partnerId, resourceId, cause, attempts, dropped } = row;
  return {
    id,
    eventType,
    partnerId,
    resourceId,
    ...viewProgress(row),
    cause,
    ...viewContent(row),
    attempts: [...attempts],
    ...(dropped !== undefined && { droppedAttempts: dropped.counted }),
  };
}

function viewProgress(row: DeliveryRow) {
  const { status, nextRetryAt, createdAt } = row;
  const last = row.attempts.findLast(({ extra }) => extra === undefined);
  return {
    status,
    attemptCount: attemptCount(row),
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
