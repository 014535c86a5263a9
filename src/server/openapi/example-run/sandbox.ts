import { type LastBody, memberOf, PERIOD, type Step } from './step.ts';

/** The operation whose last response in the run contains all deliveries. */
export const DELIVERIES = 'deliveries.list';

/** Uses the control plane. Ends with the rate limit exceeded. */
export const sandbox: readonly Step[] = [
  {
    operation: 'shareTokens.mint',
    summary: 'A token for a person',
    body: { identity: { firstName: 'Mia', lastName: 'Wong' } },
  },
  {
    operation: 'kycSessions.approve',
    summary: 'Approved, as on the hosted page',
    params: { id: 'kycs_omar_pending' },
    body: {},
  },
  { operation: 'cardholders.kyc.approve', summary: 'Approved now', params: { id: 'ch_nora_in_flight' } },
  {
    operation: 'cardholders.details',
    summary: 'All details of a cardholder',
    params: { id: 'ch_nora_in_flight' },
  },
  {
    operation: 'cardholders.status',
    summary: 'Suspended',
    params: { id: 'ch_mia_approved' },
    body: { status: 'suspended' },
  },
  {
    operation: 'cardholders.status',
    summary: 'An unknown id',
    params: { id: 'ch_unknown' },
    body: { status: 'suspended' },
  },
  { operation: 'cardholders.status', summary: 'No status', params: { id: 'ch_mia_approved' }, body: {} },
  { operation: 'clock.advance', summary: 'A day later', body: { duration: '24h' } },

  {
    operation: 'webhooks.listEvents',
    summary: 'Deliveries that are not retried again',
    query: 'status=failed&limit=2',
  },
  { operation: 'webhooks.listEvents', query: `eventType=card.issued&${PERIOD}` },
  { operation: 'webhooks.listEvents', query: 'status=failed&limit=2' },
  {
    operation: 'webhooks.getEvent',
    summary: 'A failed delivery',
    params: lastBody => ({ eventId: newestEvent(lastBody) }),
  },
  {
    operation: 'webhooks.getEvent',
    summary: 'A failed delivery that exists once it is read',
    params: { eventId: 'evt_test_failed_1' },
  },
  {
    operation: 'webhooks.retryEvent',
    summary: 'One more attempt',
    params: { eventId: 'evt_test_failed_1' },
  },
  { operation: 'clock.advance', body: { duration: '1s' } },
  { operation: 'deliveries.settle', summary: 'Nothing is in flight' },
  { operation: 'deliveries.wait', summary: 'The card that was issued', body: { eventType: 'card.issued' } },
  { operation: 'deliveries.get', summary: 'A delivery', params: lastBody => ({ id: newestEvent(lastBody) }) },
  {
    operation: 'deliveries.retry',
    summary: 'One more attempt',
    params: lastBody => ({ id: newestEvent(lastBody) }),
  },
  { operation: DELIVERIES },

  { operation: 'requests.list', summary: 'The conflicts', query: 'status=409' },
  { operation: 'partners.getSettings', summary: 'The settings of a partner', params: { id: 'partner_acme' } },
  {
    operation: 'partners.updateSettings',
    summary: 'One request a minute',
    params: { id: 'partner_acme' },
    body: { rateLimitPerMinute: 1 },
  },
  { operation: 'cards.list' },
  { operation: 'cards.list', summary: 'Over the rate limit' },
];

function newestEvent(lastBody: LastBody): string {
  const { data } = lastBody('webhooks.listEvents') as { data: readonly unknown[] };
  return memberOf(data[0], 'id');
}
