import { randomBytes } from 'node:crypto';

/** A new random control token: 128 bits as 32 hex digits. */
export function newControlToken(): string {
  return randomBytes(16).toString('hex');
}
