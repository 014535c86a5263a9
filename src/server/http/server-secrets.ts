import { randomBytes } from 'node:crypto';

/** A new random control token: 128 bits as 32 hex digits. */
export function newControlToken(): string {
  return randomBytes(16).toString('hex');
}

/**
 * The key of a server's secrets: random, so that nobody can compute signatures, keys and passcodes. Undefined when the
 * caller has chosen a seed, from which everything then comes.
 */
export function newSecretKey(seed: number | undefined): string | undefined {
  return seed === undefined ? randomBytes(32).toString('hex') : undefined;
}
