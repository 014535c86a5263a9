import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import { isAnyArrayBuffer } from 'node:util/types';
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
 * 6.2). Takes the header as Node.js and frameworks have it: a text, a list that holds one, null or undefined. Compares
 * signatures in constant time. One matching `v1` of several is enough, and parts with other names are ignored. A timestamp
 * of 13 digits is in milliseconds. Throws a TypeError for a body that is neither text nor bytes and for an empty secret:
 * nothing can be verified then.
 *
 * @example
 * const { valid } = verifyWebhook(rawBody, request.headers.get('x-service-signature'), secret);
 */
export function verifyWebhook(
  rawBody: string | ArrayBuffer | ArrayBufferView,
  header: string | readonly string[] | null | undefined,
  secret: string,
  { toleranceSeconds = 300, now = globalThis.Date.now() }: VerifyOptions = {},
): Verification {
  const body = textOrBytes(rawBody);
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret must be a non-empty string');
  if (!Number.isFinite(now)) throw new TypeError('now must be a time in milliseconds since 1970');
  const value = headerText(header);
  if (value === '') return refuse(`${HEADER} is missing`);
  const parts = value.split(',');
  const valuesOf = (name: string) =>
    parts.filter(part => part.startsWith(`${name}=`)).map(part => part.slice(name.length + 1));
  const [timestamp = '', ...furtherTimestamps] = valuesOf('t');
  const signatures = valuesOf('v1');
  if (!/^\d{1,13}$/.test(timestamp) || furtherTimestamps.length > 0 || signatures.length === 0) {
    return refuse(MALFORMED);
  }
  const isSignedWith = (key: string) => {
    const expected = Buffer.from(webhookHmac(body, key, timestamp));
    return signatures.some(signature => isSame(Buffer.from(signature), expected));
  };
  if (!isSignedWith(secret)) {
    const reason = 'the signature does not match the body and the secret';
    const trimmed = secret.trim();
    if (trimmed === secret) return refuse(reason);
    const isCause = trimmed !== '' && isSignedWith(trimmed);
    return refuse(`${reason}, which has white space at an end${isCause ? ' and matches without it' : ''}`);
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

/** Returns the value of a header. Throws a TypeError for anything else, such as all headers. */
function headerText(header: string | readonly string[] | null | undefined): string {
  if (typeof header === 'string') return header;
  if (header === null || header === undefined) return '';
  if (Array.isArray(header)) return header.join(',');
  throw new TypeError(`header must be the value of ${HEADER}, such as request.headers.get('${HEADER}')`);
}

/** Returns a body as text or bytes, of whatever realm the bytes are. Throws a TypeError for anything else. */
function textOrBytes(rawBody: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof rawBody === 'string') return rawBody;
  if (ArrayBuffer.isView(rawBody)) {
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  }
  if (isAnyArrayBuffer(rawBody)) return new Uint8Array(rawBody);
  throw new TypeError('rawBody must be the text or the bytes of the request body, before any parsing');
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function refuse(reason: string): Verification {
  return { valid: false, reason };
}
