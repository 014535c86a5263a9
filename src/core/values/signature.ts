import { createHmac } from 'node:crypto';

/**
 * The value of `X-Service-Signature` for a body and a time, by default in Unix seconds (interface section 6.2). A string
 * is signed as its UTF-8 bytes, so sign exactly the string that is sent.
 */
export function signWebhook(body: string | Uint8Array, secret: string, timestamp: number): string {
  return `t=${timestamp},v1=${webhookHmac(body, secret, String(timestamp))}`;
}

/** The lower-case hex HMAC-SHA256 of `{timestamp}.{body}`, keyed with the secret. The timestamp is used as written. */
export function webhookHmac(body: string | Uint8Array, secret: string, timestamp: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}
