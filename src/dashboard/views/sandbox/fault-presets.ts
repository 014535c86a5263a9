import type { FaultInput, WebhookFault } from '../../data/response-types.ts';

/** A fault that is set with one click. */
export interface Preset {
  readonly title: string;
  readonly note: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface ApiPreset extends Preset {
  readonly body: FaultInput & Preset['body'];
}

/** Common faults of the API. */
export const API_PRESETS: readonly ApiPreset[] = [
  { title: 'Unavailable', note: 'the next 3 requests return 503', body: { status: 503, times: 3 } },
  { title: 'Rate limited', note: 'the next request returns 429', body: { status: 429, times: 1 } },
  { title: 'Slow', note: 'every request takes 2 s', body: { delayMs: 2_000 } },
  { title: 'Dropped', note: 'the next connection is closed', body: { drop: true, times: 1 } },
  {
    title: 'Lost response',
    note: 'the next request is processed, its response is lost',
    body: { drop: true, when: 'after', times: 1 },
  },
];

/** The preset of each kind of webhook fault. */
const BY_KIND: Readonly<Record<WebhookFault['kind'], Omit<Preset, 'body'> & { readonly delayMs?: number }>> =
  {
    duplicate: { title: 'Duplicate', note: 'the next delivery is sent twice' },
    reorder: { title: 'Reorder', note: 'the next two deliveries swap places' },
    delay: { title: 'Delay', note: 'the next delivery is 5 s late', delayMs: 5_000 },
    drop: { title: 'Drop', note: 'the next delivery is lost' },
    before_answer: { title: 'Before the answer', note: 'the next webhook comes before the response' },
    unknown_fields: { title: 'Unknown fields', note: 'the next body has fields that are not documented' },
    unknown_type: { title: 'Unknown type', note: 'the next event has a type that is not documented' },
    bad_signature: { title: 'Bad signature', note: 'the next signature is wrong' },
    other_secret: { title: 'Other secret', note: 'the next signature is made with another secret' },
    missing_signature: { title: 'No signature', note: 'the next delivery is not signed' },
    tampered_body: { title: 'Tampered body', note: 'a byte of the next body is changed' },
    stale_timestamp: { title: 'Stale timestamp', note: 'the next signature is too old' },
    other_partner: { title: 'Other partner', note: 'the next event is about a record of another partner' },
  };

/** Common faults of outgoing webhooks. */
export const WEBHOOK_PRESETS: readonly Preset[] = Object.entries(BY_KIND).map(
  ([kind, { title, note, delayMs }]) => ({ title, note, body: { kind, delayMs, times: 1 } }),
);
