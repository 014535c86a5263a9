/** The kinds of webhook faults, each with its effect. */
export const WEBHOOK_FAULT_EFFECTS = {
  duplicate: 'Sends the request of an attempt twice.',
  reorder:
    'Holds the first attempt back until a later delivery of the partner has been attempted, for at most `delayMs` (5,000).',
  delay: 'Delays the first attempt by `delayMs` (1,000).',
  drop: 'Sends nothing. The attempt fails with the cause `dropped by a webhook fault`.',
  bad_signature: 'Changes the last digit of the signature.',
  stale_timestamp: 'Signs with a timestamp that is `delayMs` (3,600,000) in the past.',
};

/** A kind of webhook fault. */
export type WebhookFaultKind = keyof typeof WEBHOOK_FAULT_EFFECTS;

// Object.keys does not keep the type of the keys.
/** All kinds of webhook faults. */
export const WEBHOOK_FAULT_KINDS = Object.keys(WEBHOOK_FAULT_EFFECTS) as readonly WebhookFaultKind[];
