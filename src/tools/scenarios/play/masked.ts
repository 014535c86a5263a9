import { redactData, redactText } from '../../../core/redaction/redact.ts';

/** Shorter texts would be half shown. */
const MIN_LENGTH = 12;
const SHOWN = 4;

/** Masks the secrets in a JSON value for people to see. Of a token the last four characters remain, to tell it from others. */
export function maskData(value: unknown): unknown {
  return keepTokenEnds(value, redactData(value), '');
}

export function maskHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // The values stay texts.
  return redactData(headers) as Record<string, string>;
}

/** Returns the end of a token or a key, such as `…cdef`. */
export function endOf(secret: string): string {
  return secret.length < MIN_LENGTH ? '…' : `…${secret.slice(-SHOWN)}`;
}

function keepTokenEnds(value: unknown, masked: unknown, name: string): unknown {
  if (typeof value === 'string') {
    const isHidden = masked !== value && /token$/i.test(name) && redactText(value) === value;
    return isHidden ? endOf(value) : masked;
  }
  if (typeof value !== 'object' || value === null || typeof masked !== 'object' || masked === null)
    return masked;
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    keepTokenEnds(member, Object.hasOwn(masked, key) ? Reflect.get(masked, key) : undefined, key),
  ]);
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}
