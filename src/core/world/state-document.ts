import { isObject } from '../request/input.ts';

export const STATE_FORMAT = 'card-sandbox-state';

/** What the first member of a document says to whoever opens it. */
export const STATE_NOTICE =
  'Holds API keys, webhook secrets and card numbers of the sandbox in plain text. Keep it private.';

export const STATE_VERSION = 1;

/** Whether a value claims to be a state document, valid or not. */
export function isStateDocument(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && value.format === STATE_FORMAT;
}

/** Whether a value claims to be a state document whose clock was frozen. */
export function isFrozenState(value: unknown): boolean {
  return isStateDocument(value) && isObject(value.clock) && value.clock.mode === 'frozen';
}
