import { redactText } from './redact.ts';
import { namesSecret } from './secret-names.ts';

/** Headers of a request or a response. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const MASK = '***';
/** Headers with secrets whose names do not denote one. */
const CREDENTIALS = new Set(['cookie', 'set-cookie', 'proxy-authorization', 'x-service-signature']);

const redacted = new WeakMap<Headers, Readonly<Record<string, string>>>();

/**
 * Returns headers with names in lower case, and keys, credentials and secrets in any text masked. Repeated headers are
 * joined with commas. The result is kept for as long as `headers`, which many requests share.
 */
export function redactHeaders(headers: Headers): Readonly<Record<string, string>> {
  const known = redacted.get(headers);
  if (known !== undefined) return known;
  const masked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const plainName = name.toLowerCase();
    const isSecret = CREDENTIALS.has(plainName) || namesSecret(plainName);
    const text = typeof value === 'string' ? value : value.join(', ');
    masked[redactText(plainName)] = isSecret ? MASK : redactText(text);
  }
  redacted.set(headers, masked);
  return masked;
}
