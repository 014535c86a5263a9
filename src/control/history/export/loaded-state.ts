import { KEY_PREFIX } from '../../../core/access/partners.ts';
import { standInFor } from '../../../core/redaction/card-numbers.ts';
import { redactBody } from '../../../core/redaction/redact.ts';
import { mapValues, type Reference } from './references.ts';

/** What replaces a text of a state document. */
interface Replacements {
  /** An API key. */
  key(key: string): Reference;
  /** A webhook secret or a share token. */
  secret(text: string, member: string): Reference;
  /** Any other text. */
  literal(text: string, member: string): string;
}

/**
 * Returns a state document that can be loaded like the one that was recorded, without its keys, secrets, passcodes and
 * card numbers.
 */
export function withoutSecrets(document: unknown, { key, secret, literal }: Replacements): unknown {
  let cards = 0;
  return mapValues(document, (value, member) => {
    if (typeof value !== 'string') return value;
    if (value.startsWith(KEY_PREFIX)) return key(value);
    if (member === 'webhookSecret' || member === 'token') return secret(value, member);
    // The key of unpredictable secrets, and what a cardholder knows.
    if (member === 'key' || member === 'cvv' || member === 'otp') return '0'.repeat(value.length);
    if (member === 'body' || member === 'lastResponseBody') return redactBody(value);
    if (member === 'number') {
      cards += 1;
      return standInFor(value, cards);
    }
    return literal(value, member);
  });
}
