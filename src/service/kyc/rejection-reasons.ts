import * as z from 'zod';

/** Why KYC can be rejected, with what people read. The API and webhooks never contain the reasons. */
export const REJECTION_REASONS = {
  document_expired: 'The document has expired',
  document_unreadable: 'The document cannot be read',
  selfie_mismatch: 'The selfie shows someone else',
  name_mismatch: 'The name is another one',
  underage: 'The person is under age',
  sanctions_hit: 'The person is on a sanctions list',
  duplicate_identity: 'The identity is known already',
  other: 'Another reason',
};

export type RejectionReason = keyof typeof REJECTION_REASONS;

// Object.keys does not keep the type of the keys.
const REASONS = Object.keys(REJECTION_REASONS) as readonly RejectionReason[];

/** Reasons of a rejection as they are stored and shown. */
export const RejectionReasons = z.array(z.enum(REASONS));

/** Reasons of a rejection in a body; duplicates are removed. */
export const RejectionReasonsBody = RejectionReasons.transform(reasons => [...new Set(reasons)])
  .optional()
  .describe('Why it is rejected. The API and webhooks never contain it.');

/** Returns the reasons of a rejection as a member of what the control plane shows; nothing if there are none. */
export function viewReasons(reasons: readonly RejectionReason[] = []): { reasons?: RejectionReason[] } {
  return reasons.length === 0 ? {} : { reasons: [...reasons] };
}

/** Returns the known reasons among texts, each once. */
export function reasonsAmong(texts: readonly string[]): RejectionReason[] {
  return REASONS.filter(reason => texts.includes(reason));
}
