import type { FaultInput, WebhookFault } from '../../data/response-types.ts';

export interface Preset {
  readonly title: string;
  readonly note: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type PresetOf<Body> = Omit<Preset, 'body'> & { readonly body: Body };

export const API_PRESETS: readonly PresetOf<FaultInput & Preset['body']>[] = [
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

/** What a webhook fault does, in the words of the page. Every kind has a preset. */
const BY_KIND: Readonly<
  Record<WebhookFault['kind'], readonly [group: 'healthy' | 'forged', title: string, note: string]>
> = {
  duplicate: ['healthy', 'Duplicate', 'the next delivery is sent twice'],
  reorder: ['healthy', 'Reorder', 'the next two deliveries swap places'],
  delay: ['healthy', 'Delay', 'the next delivery is 5 s late'],
  drop: ['healthy', 'Drop', 'the next delivery is lost'],
  before_response: ['healthy', 'Before the response', 'the next webhook comes before the response'],
  unknown_fields: ['healthy', 'Unknown fields', 'the next body has fields that are not documented'],
  unknown_type: ['healthy', 'Unknown type', 'the next event has a type that is not documented'],
  reformatted_body: ['healthy', 'Other white space', 'the next body is the same JSON with other white space'],
  bad_signature: ['forged', 'Bad signature', 'the next signature is wrong'],
  other_secret: ['forged', 'Other secret', 'the next signature is made with another secret'],
  missing_signature: ['forged', 'No signature', 'the next delivery is not signed'],
  tampered_body: ['forged', 'Tampered body', 'a byte of the next body is changed'],
  stale_timestamp: ['forged', 'Stale timestamp', 'the next signature is too old'],
  other_partner: ['forged', 'Other partner', 'the next event is about a record of another partner'],
};

const DELAY_MS: Readonly<Record<string, number | undefined>> = { delay: 5_000 };

function webhookPresets(wanted: 'healthy' | 'forged'): readonly Preset[] {
  return Object.entries(BY_KIND)
    .filter(([, [group]]) => group === wanted)
    .map(([kind, [, title, note]]) => ({ title, note, body: { kind, delayMs: DELAY_MS[kind], times: 1 } }));
}

/** Webhook faults that a healthy service and network can produce. */
export const HEALTHY_PRESETS = webhookPresets('healthy');

/** Webhook faults that anyone can send, which a receiver must refuse. */
export const FORGED_PRESETS = webhookPresets('forged');
