/** The kinds of webhook faults, each with its effect. */
export const WEBHOOK_FAULT_EFFECTS = {
  duplicate: 'Sends the request of an attempt twice, each signed with a time of its own.',
  reorder:
    'Holds the first attempt back until a later delivery of the partner has been attempted, for `delayMs` (5,000). Deliveries that are held back together are sent newest first.',
  delay: 'Delays the first attempt by `delayMs` (1,000).',
  drop: 'Sends nothing. The attempt fails with the cause `dropped by a webhook fault`.',
  before_response:
    'Sends the webhook before the response to the API request that raised it, which waits for the attempt for at most `delayMs` (2,000).',
  unknown_fields: 'Adds unknown fields to every object of the body, and signs it.',
  unknown_type:
    'Replaces the event type, in the header and the body, with an unknown one. The event id is another.',
  reformatted_body:
    'Sends the same JSON with other white space, and signs those bytes: the delivery is genuine.',
  bad_signature: 'Changes the last digit of the signature.',
  other_secret: 'Signs with another secret.',
  missing_signature: 'Leaves the signature out.',
  tampered_body: 'Changes a byte of the body after it has been signed.',
  stale_timestamp: 'Signs with a timestamp that is `delayMs` (3,600,000) in the past.',
  other_partner:
    'Sends an event about a record of another partner, signed with the secret of that partner. The event id is another.',
};

export type WebhookFaultKind = keyof typeof WEBHOOK_FAULT_EFFECTS;

// Object.keys does not keep the type of the keys.
export const WEBHOOK_FAULT_KINDS = Object.keys(WEBHOOK_FAULT_EFFECTS) as readonly WebhookFaultKind[];

/** The kinds that change what a request says, and that can be sent in an additional request. */
export const CONTENT_KINDS = [
  'unknown_fields',
  'unknown_type',
  'reformatted_body',
  'bad_signature',
  'other_secret',
  'missing_signature',
  'tampered_body',
  'stale_timestamp',
  'other_partner',
] as const satisfies readonly WebhookFaultKind[];

/** Whether an attempt under a fault says what the event does, so that it counts as a delivery of the event. */
export function isGenuine(fault: string | null): boolean {
  return fault === 'reformatted_body' || !CONTENT_KINDS.some(kind => kind === fault);
}

/** The kinds that decide when a first attempt is made. */
export const HOLDING_KINDS = [
  'delay',
  'reorder',
  'before_response',
] as const satisfies readonly WebhookFaultKind[];

export type HoldingKind = (typeof HOLDING_KINDS)[number];
