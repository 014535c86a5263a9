import type { Misbehaviour } from '../misbehaviour.ts';
import { onceEachType } from './webhooks.ts';

/** Forged webhooks, sent besides the genuine ones. The receiver has to answer each with a 4xx. */
export const forgeries: readonly Misbehaviour[] = [
  {
    id: 'signature-other-secret',
    kind: 'malign',
    why: 'Anyone who knows the URL of a receiver can send it events that are signed with a secret of their own.',
    sound:
      'Compute the signature with your secret, compare it in constant time, and answer 401 if it differs.',
    disturb: onceEachType({ kind: 'other_secret', extra: true }),
  },
  {
    id: 'signature-last-digit',
    kind: 'malign',
    why: 'If only the first characters of a signature are compared, a forged one can be found by trial.',
    sound: 'Compare the whole signature, in constant time.',
    disturb: onceEachType({ kind: 'bad_signature', extra: true }),
  },
  {
    id: 'signature-missing',
    kind: 'malign',
    why: 'Anyone can leave a header out.',
    sound: 'Answer 401 to a request without a signature.',
    disturb: onceEachType({ kind: 'missing_signature', extra: true }),
  },
  {
    id: 'body-tampered',
    kind: 'malign',
    why: 'Whoever can read a webhook on its way can change it.',
    sound: 'Verify the signature over the raw bytes before you parse or process the body.',
    disturb: onceEachType({ kind: 'tampered_body', extra: true }),
  },
  {
    id: 'timestamp-old',
    kind: 'malign',
    why: 'Whoever has recorded a webhook can send it again later.',
    sound: 'Refuse a signature whose timestamp is more than 5 minutes old.',
    disturb: onceEachType({ kind: 'stale_timestamp', extra: true }),
  },
  {
    id: 'record-of-other-partner',
    kind: 'malign',
    why: 'The URL of a receiver is configured for another partner, too, whose webhooks are signed with another secret.',
    sound: 'Accept only webhooks that are signed with your own secret.',
    disturb: onceEachType({ kind: 'other_partner', extra: true }),
  },
];
