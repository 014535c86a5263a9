import { createHash } from 'node:crypto';
import { redactBody } from './redact.ts';

/** Longer bodies are kept as a digest. */
const MAX_LENGTH = 16 * 1024;

/**
 * Returns the body of a response as an export keeps it: without secrets and without the origin of the sandbox. Responses
 * are the same if these texts are.
 */
export function recordedBody(body: string, origin: string): string {
  const text = redactBody(body).replaceAll(`"${origin}/`, '"/');
  return text.length <= MAX_LENGTH ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
