import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { webhookHmac } from '../core/values/signature.ts';

/** How strictly to verify a webhook. */
export interface VerifyOptions {
  /** The most seconds that the timestamp may differ from now, in either direction. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time, in milliseconds since 1970. Default: `Date.now()`. */
  readonly now?: number | undefined;
}

/** The result: the Unix seconds at which a genuine webhook was signed, or why a webhook is not genuine. */
export type Verification =
  | { readonly valid: true; readonly timestamp: number }
  | { readonly valid: false; readonly reason: string };

/** The digits of a time in milliseconds. A time in seconds has three fewer. */
const MILLISECOND_DIGITS = 13;
const HEADER = 'X-Service-Signature';
const MALFORMED = `${HEADER} is malformed; it must be t=<Unix seconds>,v1=<64 lower-case hex digits>`;

/**
 * Verifies the signature of a webhook against the bytes of its body as received, before any parsing (interface section
 * 6.2). Compares signatures in constant time. One matching `v1` of several is enough, and parts with other names are
 * ignored. A timestamp of 13 digits is in milliseconds. Throws a TypeError for a body that is neither text nor bytes and
 * for an empty secret: nothing can be verified then.
 *
 * @example
 * const { valid } = verifyWebhook(rawBody, request.headers.get('x-service-signature'), secret);
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  header: string | null | undefined,
  secret: string,
  { toleranceSeconds = 300, now = globalThis.Date.now() }: VerifyOptions = {},
): Verification {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) {
    throw new TypeError('rawBody must be the text or the bytes of the request body, before any parsing');
  }
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret must be a non-empty string');
  if (header === undefined || header === null || header === '') return refuse(`${HEADER} is missing`);
  const parts = header.split(',');
  const valuesOf = (name: string) =>
    parts.filter(part => part.startsWith(`${name}=`)).map(part => part.slice(name.length + 1));
  const [timestamp = '', ...furtherTimestamps] = valuesOf('t');
  const signatures = valuesOf('v1');
  if (!/^\d{1,13}$/.test(timestamp) || furtherTimestamps.length > 0 || signatures.length === 0) {
    return refuse(MALFORMED);
  }
  const expected = Buffer.from(webhookHmac(rawBody, secret, timestamp));
  if (!signatures.some(signature => isSame(Buffer.from(signature), expected))) {
    return refuse('the signature does not match the body and the secret');
  }
  const time = Number(timestamp) / (timestamp.length === MILLISECOND_DIGITS ? 1_000 : 1);
  const age = now / 1_000 - time;
  // NaN as the tolerance refuses everything.
  if (Math.abs(age) <= toleranceSeconds) return { valid: true, timestamp: Math.floor(time) };
  const seconds = Math.round(Math.abs(age));
  return refuse(
    age > 0 ? `the timestamp is too old: ${seconds} s` : `the timestamp is ${seconds} s in the future`,
  );
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function refuse(reason: string): Verification {
  return { valid: false, reason };
}
