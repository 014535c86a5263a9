import { partners } from '../../../core/access/partners.ts';
import { VERSION } from '../../../core/operation/version.ts';
import { signWebhook } from '../../../core/values/signature.ts';
import { withUnknownFields } from '../../../core/values/unknown-fields.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import type { DeliveryRow } from '../deliveries.ts';
import type { WebhookFault } from '../faults.ts';
import { generatedSecret, webhookConfigOf } from '../records.ts';
import { eventBody } from './event-body.ts';
import { payloads } from './payloads.ts';

/** Default age of a signature under the fault `stale_timestamp`: one hour. */
const DEFAULT_STALE_MS = 3_600_000;
const UNKNOWN_TYPE = 'card.future_event';
/**
 * Ends the body of `unknown_fields`. A receiver that parses and writes it again gets other bytes: an escaped letter
 * and a number with a zero at its end.
 */
const UNUSUAL_SPELLING = ',"futureSpelling":"caf\\u00e9","futureAmount":1.50}';

/** A webhook request without its URL. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a request says, before it is signed. */
interface Content {
  readonly eventType: string;
  readonly body: string;
  readonly secret: string;
}

/** Returns the request of an attempt, signed with the current wall time and changed by a fault, if any. */
export function signedRequest(
  state: WorldState,
  row: DeliveryRow,
  secret: string,
  fault: WebhookFault | undefined,
): SignedRequest {
  const kind = fault?.kind;
  const content = contentOf(state, row, secret, kind);
  const age = kind === 'stale_timestamp' ? (fault?.delayMs ?? DEFAULT_STALE_MS) : 0;
  const unitMs = state.assumptions['signature-timestamp'] === 'milliseconds' ? 1 : 1_000;
  const timestamp = Math.floor((state.realTime.now() - age) / unitMs);
  const signature = signWebhook(content.body, content.secret, timestamp);
  const signatureHeader = {
    [headerName(state, 'X-Service-Signature')]:
      kind === 'bad_signature' ? withOtherEnd(signature) : signature,
  };
  return {
    headers: {
      'Content-Type': 'application/json',
      [headerName(state, 'X-Service-Event')]: content.eventType,
      ...(kind === 'missing_signature' ? {} : signatureHeader),
      'User-Agent': `card-sandbox/${VERSION}`,
    },
    body: kind === 'tampered_body' ? tampered(content.body) : content.body,
  };
}

function contentOf(
  state: WorldState,
  row: DeliveryRow,
  secret: string,
  kind: WebhookFault['kind'] | undefined,
): Content {
  const { id, eventType, body } = row;
  if (kind === 'other_secret') return { eventType, body, secret: `${secret}x` };
  if (kind === 'unknown_fields') return { eventType, body: withUnusualFields(body), secret };
  if (kind === 'unknown_type') {
    const event = { ...JSON.parse(body), id: `${id}_future`, eventType: UNKNOWN_TYPE };
    const isAlone = state.assumptions['webhook-envelope'] === 'data';
    return { eventType: UNKNOWN_TYPE, body: isAlone ? body : JSON.stringify(event), secret };
  }
  return kind === 'other_partner' ? contentOfOtherPartner(state, row) : { eventType, body, secret };
}

/** The same event about a record of another partner, or about a sample if the world has no other partner. */
function contentOfOtherPartner(
  state: WorldState,
  { id, partnerId, eventType, createdAt }: DeliveryRow,
): Content {
  const other = [...state.table(partners).all()].find(each => each.id !== partnerId)?.id ?? 'another-partner';
  const { data } = payloads[eventType].subject(state, other, undefined);
  const secret = webhookConfigOf(state, other).webhookSecret ?? generatedSecret(state, other);
  return { eventType, body: eventBody(state, { id: `${id}_other`, eventType, createdAt, data }), secret };
}

function headerName({ names }: WorldState, header: string): string {
  return names?.text(header) ?? header;
}

/** Returns the signature with its last hexadecimal digit changed. */
function withOtherEnd(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
}

function withUnusualFields(body: string): string {
  return JSON.stringify(withUnknownFields(JSON.parse(body))).slice(0, -1) + UNUSUAL_SPELLING;
}

/** Returns the body with the last character of its first value changed: it is still JSON, of the same length. */
function tampered(body: string): string {
  return body.replace(
    /^(\{"\w+":"?[^",]*)([^",])/,
    (_, begin, last) => `${begin}${last === '0' ? '1' : '0'}`,
  );
}
