import { randomBytes } from 'node:crypto';

/** A control token that nobody guesses. */
export function newControlToken(): string {
  return randomBytes(16).toString('hex');
}
