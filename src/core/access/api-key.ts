import * as z from 'zod';
import type { Secrets } from '../values/secrets.ts';

/** The prefix of sandbox keys (interface section 5.2). */
export const KEY_PREFIX = 'sk_test_';

/** Length of a generated key without its prefix. */
const KEY_LENGTH = 24;

/** A sandbox key. The message never repeats the input, which may be a live key. */
export const SandboxKey = z
  .string()
  .regex(
    new RegExp(`^${KEY_PREFIX}[\\w-]+$`),
    `must be ${KEY_PREFIX} followed by letters, digits, _ or -; live keys are never stored`,
  );

/** Generates a sandbox key of a world. No other world of the server has it. */
export function newApiKey(world: {
  readonly secrets: Secrets;
  readonly ownKey: (key: string) => string;
}): string {
  return world.ownKey(KEY_PREFIX + world.secrets.stream('api-key').letters(KEY_LENGTH));
}
