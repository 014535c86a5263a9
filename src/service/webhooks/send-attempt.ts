import type * as z from 'zod';
import { partners } from '../../core/access/partners.ts';
import { VERSION } from '../../core/operation/version.ts';
import { fakedBy } from '../../core/values/builtins.ts';
import { inHundredths } from '../../core/values/schemas/amount-fields.ts';
import { signWebhook } from '../../core/values/signature.ts';
import { isoTime } from '../../core/values/timestamp.ts';
import { withUnknownFields } from '../../core/values/unknown-fields.ts';
import type { ActingWebhookFault } from '../../core/world/disturbance.ts';
import type { AttemptOutcome, OutgoingWebhook } from '../../core/world/transport.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { EventType } from './event-types.ts';
import { CONTENT_KINDS, type HoldingKind, type WebhookFaultKind } from './fault-kinds.ts';
import { takeFault } from './faults.ts';
import { payloads } from './payloads.ts';
import { type AttemptStart, type DeliveryRow, webhookConfigOf, webhookSecretOf } from './records.ts';
import type { DeliveryAttempt } from './schema.ts';

export const NOT_CONFIGURED = 'not configured';

/** Default age of a signature under the fault `stale_timestamp`: one hour. */
const DEFAULT_STALE_MS = 3_600_000;
const UNKNOWN_TYPE = 'card.future_event';
/**
 * Ends the body of `unknown_fields`. A receiver that parses and writes it again gets other bytes: an escaped letter
 * and a number with a zero at its end.
 */
const UNUSUAL_SPELLING = ',"futureSpelling":"caf\\u00e9","futureAmount":1.50}';

/** The result of an attempt: what the delivery keeps of it, the response body, and the configured URL. */
export interface AttemptResult {
  readonly attempt: Omit<z.output<typeof DeliveryAttempt>, 'at'>;
  readonly responseBody: string | null;
  readonly webhookUrl: string | null;
}

/** The result of an attempt that sends nothing. */
function notSent(webhookUrl: string | null, cause: string, fault: 'drop' | null): AttemptResult {
  const attempt = { url: webhookUrl, requestHeaders: {}, status: null, cause, durationMs: 0, fault };
  return { attempt, responseBody: null, webhookUrl };
}

/** Returns the configured URL and the fault that acts on it, or the result of an attempt that sends nothing. */
export function startAttempt(state: WorldState, row: DeliveryRow, at: number): AttemptStart | AttemptResult {
  const { webhookUrl, webhookSecret } = webhookConfigOf(state, row.partnerId);
  if (webhookUrl === null || webhookSecret === null) return notSent(null, NOT_CONFIGURED, null);
  const fault = takeFault(state, row, ['duplicate', 'drop', ...CONTENT_KINDS]) ?? null;
  if (fault?.kind === 'drop') return notSent(webhookUrl, 'dropped by a webhook fault', 'drop');
  return { at: isoTime(at), webhookUrl, fault };
}

/** Never rejects: a failure is the attempt's cause. `heldBy` is the fault that held the attempt back. */
export async function sendAttempt(
  state: WorldState,
  row: DeliveryRow,
  { webhookUrl, fault }: AttemptStart,
  heldBy: HoldingKind | null,
): Promise<AttemptResult> {
  const now = timestampNow(state, fault);
  const timestamp = repeatsAccepted(row, now) ? now - 1 : now;
  const sign = (time: number) => signRequest(state, row, webhookSecretOf(state, row.partnerId), fault, time);
  const send = (signed: SignedRequest) =>
    state.setup.transport.send(toOutgoing(state, row, webhookUrl, signed), state.ended);
  const request = sign(timestamp);
  const outcome = await send(request);
  const attempt = { ...attemptOf(request, outcome), fault: fault?.kind ?? heldBy };
  const result = { attempt, responseBody: outcome.body, webhookUrl };
  if (fault?.kind !== 'duplicate') return result;
  // The other attempts of this moment come first, however many slices they take to start.
  await state.clock.waitUntilStarted();
  const { status: repeatStatus } = await send(sign(timestamp - 1));
  return { ...result, attempt: { ...attempt, repeatStatus } };
}

/** Resolves with the attempt once it has ended, and never rejects. Returns null if there is none. */
export function sendExtra(state: WorldState, row: DeliveryRow): Promise<AttemptResult['attempt']> | null {
  const { disturbance } = state.setup;
  if (disturbance === null) return null;
  const { webhookUrl, webhookSecret } = webhookConfigOf(state, row.partnerId);
  if (webhookUrl === null || webhookSecret === null) return null;
  const fault = disturbance.webhookFaultFor(state, row, CONTENT_KINDS, webhookUrl);
  if (fault === undefined) return null;
  const request = signRequest(state, row, webhookSecret, fault, timestampNow(state, fault));
  const sent = state.setup.transport.send(toOutgoing(state, row, webhookUrl, request), state.ended);
  return sent.then(outcome => ({ ...attemptOf(request, outcome), fault: fault.kind, extra: true }));
}

function toOutgoing(
  { assumptions }: WorldState,
  { id: event, resourceId: record }: DeliveryRow,
  url: string,
  request: SignedRequest,
): OutgoingWebhook {
  return { event, record, url, ...request, timeoutMs: assumptions['webhook-timeout'] };
}

function attemptOf({ headers }: SignedRequest, outcome: AttemptOutcome) {
  const { url, status, cause, durationMs, requestHeaders = headers } = outcome;
  return { url, requestHeaders, status, cause, durationMs: Math.round(durationMs) };
}

interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Content {
  readonly eventType: string;
  readonly body: string;
  readonly secret: string;
}

/** Returns the request of an attempt, signed with a timestamp and changed by a fault, if any. */
function signRequest(
  state: WorldState,
  row: DeliveryRow,
  secret: string,
  fault: ActingWebhookFault<WebhookFaultKind> | null,
  timestamp: number,
): SignedRequest {
  const kind = fault?.kind;
  const content = contentOf(state, row, secret, kind);
  const signature = signWebhook(content.body, content.secret, timestamp);
  const signatureHeader = {
    [headerName(state, 'X-Service-Signature')]:
      kind === 'bad_signature' ? changeLastDigit(signature) : signature,
  };
  return {
    headers: {
      'Content-Type': 'application/json',
      [headerName(state, 'X-Service-Event')]: content.eventType,
      ...(kind === 'missing_signature' ? {} : signatureHeader),
      'User-Agent': `card-sandbox/${VERSION}`,
    },
    body: kind === 'tampered_body' ? tamperWith(content.body) : content.body,
  };
}

/**
 * Returns the current wall time in the unit of timestamps, less the age that a fault gives to it. A receiver in this process
 * compares it with the time that it sees, which its tests may have faked, so it is that one.
 */
function timestampNow(
  { assumptions, setup }: WorldState,
  fault: ActingWebhookFault<WebhookFaultKind> | null,
): number {
  const age = fault?.kind === 'stale_timestamp' ? (fault.delayMs ?? DEFAULT_STALE_MS) : 0;
  const unitMs = assumptions['signature-timestamp'] === 'milliseconds' ? 1 : 1_000;
  return Math.floor((setup.realTime.now() + fakedBy() - age) / unitMs);
}

/**
 * Whether the newest attempt was accepted and has this timestamp. A service signs a webhook again that it repeats, so that
 * no receiver may tell it by its signature. A later timestamp would be ahead of the clock of the receiver.
 */
function repeatsAccepted({ attempts }: DeliveryRow, timestamp: number): boolean {
  const last = attempts.findLast(({ extra }) => extra === undefined);
  return last?.cause === null && timestampIn(last.requestHeaders) === timestamp;
}

/** The timestamp of the signature in some headers, in its unit; 0 without one. */
function timestampIn(headers: SignedRequest['headers']): number {
  const [found] = Object.values(headers).flatMap(value => /^t=(\d+),v1=/.exec(value)?.[1] ?? []);
  return Number(found ?? 0);
}

function contentOf(
  state: WorldState,
  row: DeliveryRow,
  secret: string,
  kind: WebhookFaultKind | undefined,
): Content {
  const { id, eventType, body } = row;
  if (kind === 'other_secret') return { eventType, body, secret: otherThan(secret) };
  if (kind === 'reformatted_body') return { eventType, body: reformatted(body), secret };
  if (kind === 'unknown_fields') return { eventType, body: addUnusualFields(body), secret };
  if (kind === 'unknown_type') {
    const event = { ...JSON.parse(body), id: `${id}_future`, eventType: UNKNOWN_TYPE };
    const isAlone = state.assumptions['webhook-envelope'] === 'data';
    return { eventType: UNKNOWN_TYPE, body: isAlone ? body : JSON.stringify(event), secret };
  }
  return kind === 'other_partner' ? contentOfOtherPartner(state, row, secret) : { eventType, body, secret };
}

/** The same event about a record of another partner, or about a sample if the world has no other partner. */
function contentOfOtherPartner(
  state: WorldState,
  { id, partnerId, eventType, createdAt }: DeliveryRow,
  ownSecret: string,
): Content {
  const other = [...state.table(partners).all()].find(each => each.id !== partnerId)?.id ?? 'another-partner';
  const { data } = payloads[eventType].subject(state, other, undefined);
  const otherSecret = webhookSecretOf(state, other);
  // Partners of tests may share a secret. Signed with it, the event would be genuine.
  const secret = otherSecret === ownSecret ? otherThan(ownSecret) : otherSecret;
  return { eventType, body: eventBody(state, { id: `${id}_other`, eventType, createdAt, data }), secret };
}

function otherThan(secret: string): string {
  return `${secret}x`;
}

function headerName({ setup: { names } }: WorldState, header: string): string {
  return names?.text(header) ?? header;
}

function changeLastDigit(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
}

/** Returns the same JSON as no serializer writes it: indented with tabs, with a line break at the end. */
function reformatted(body: string): string {
  return `${JSON.stringify(JSON.parse(body), null, '\t')}\n`;
}

function addUnusualFields(body: string): string {
  return JSON.stringify(withUnknownFields(JSON.parse(body))).slice(0, -1) + UNUSUAL_SPELLING;
}

/** Returns the body with the last character of its first value changed: it is still JSON, of the same length. */
function tamperWith(body: string): string {
  return body.replace(
    /^(\{"\w+":"?[^",]*)([^",])/,
    (_, begin, last) => `${begin}${last === '0' ? '1' : '0'}`,
  );
}

interface ReportedEvent {
  readonly id: string;
  readonly eventType: EventType;
  readonly createdAt: string;
  readonly data: unknown;
}

/** Returns the body of the webhooks of an event: in the names, the unit and the envelope of the world. */
export function eventBody(
  { setup: { assumptions, names } }: WorldState,
  { data, ...event }: ReportedEvent,
): string {
  const isMinor = assumptions['amount-unit'] === 'minor';
  const amounts = isMinor ? inHundredths(payloads[event.eventType].schema, data) : data;
  const sent = names?.toPartner(amounts) ?? amounts;
  return JSON.stringify(assumptions['webhook-envelope'] === 'data' ? sent : { ...event, data: sent });
}
