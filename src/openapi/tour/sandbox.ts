import { memberOf, type Seen, type Step } from './step.ts';

/** The operation whose last answer in the tour holds every delivery there was. */
export const DELIVERIES = 'deliveries.list';

/** The sandbox is driven, and tells what it did. Ends with the rate limit used up. */
export const sandbox: readonly Step[] = [
  {
    call: 'shareTokens.mint',
    shows: 'A token for a person',
    body: { identity: { firstName: 'Mia', lastName: 'Wong' } },
  },
  {
    call: 'kycSessions.approve',
    shows: 'Approved, as on the hosted page',
    params: { id: 'kycs_omar_pending' },
    body: {},
  },
  { call: 'cardholders.kyc.approve', shows: 'Approved now', params: { id: 'ch_nora_in_flight' } },
  { call: 'cardholders.details', shows: 'All of a cardholder', params: { id: 'ch_nora_in_flight' } },
  {
    call: 'cardholders.status',
    shows: 'Suspended',
    params: { id: 'ch_mia_approved' },
    body: { status: 'suspended' },
  },
  {
    call: 'cardholders.status',
    shows: 'An unknown id',
    params: { id: 'ch_unknown' },
    body: { status: 'suspended' },
  },
  { call: 'cardholders.status', shows: 'No status', params: { id: 'ch_mia_approved' }, body: {} },
  { call: 'clock.advance', shows: 'A day later', body: { duration: '24h' } },

  {
    call: 'webhooks.listEvents',
    shows: 'The deliveries that failed for good',
    query: 'status=failed&limit=2',
  },
  { call: 'webhooks.getEvent', shows: 'A failed delivery', params: seen => ({ eventId: newestEvent(seen) }) },
  {
    call: 'webhooks.retryEvent',
    shows: 'One more attempt',
    params: seen => ({ eventId: newestEvent(seen) }),
  },
  { call: 'clock.advance', body: { duration: '1s' } },
  { call: 'deliveries.settle', shows: 'Nothing is in flight' },
  { call: 'deliveries.wait', shows: 'The card that was issued', body: { eventType: 'card.issued' } },
  { call: 'deliveries.get', shows: 'A delivery', params: seen => ({ id: newestEvent(seen) }) },
  { call: 'deliveries.retry', shows: 'One more attempt', params: seen => ({ id: newestEvent(seen) }) },
  { call: DELIVERIES },

  { call: 'requests.list', shows: 'The conflicts', query: 'status=409' },
  { call: 'partners.getSettings', shows: 'The settings of a partner', params: { id: 'partner_acme' } },
  {
    call: 'partners.updateSettings',
    shows: 'One request a minute',
    params: { id: 'partner_acme' },
    body: { rateLimitPerMinute: 1 },
  },
  { call: 'cards.list' },
  { call: 'cards.list', shows: 'Over the rate limit' },
];

function newestEvent(seen: Seen): string {
  const { data } = seen('webhooks.listEvents') as { data: readonly unknown[] };
  return memberOf(data[0], 'id');
}
