import * as z from 'zod';
import type { Random } from '../values/random.ts';

/** The prefix that every key of this environment has (interface section 5.2). */
export const KEY_PREFIX = 'sk_test_';

/** The prefix of production keys (interface section 5.2), which have no business here. */
export const LIVE_KEY_PREFIX = 'sk_live_';

/** Length of a key that is made up, without its prefix. */
const KEY_LENGTH = 24;

/** A sandbox key. The message never repeats what was given: it may be a live key. */
export const SandboxKey = z
  .string()
  .regex(
    new RegExp(`^${KEY_PREFIX}[\\w-]+$`),
    `must be ${KEY_PREFIX} and then letters, digits, _ or -, as every sandbox key; live keys are never kept`,
  );

/** A fresh sandbox key. */
export function newApiKey(random: Random): string {
  return KEY_PREFIX + random.stream('api-key').letters(KEY_LENGTH);
}
