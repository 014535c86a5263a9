import { EVENT_MEANINGS } from '../../operations.ts';

/** What a step can use of earlier answers: the last one of an operation, as it came. */
export type Seen = (operation: string) => unknown;

/** One request of the tour, which becomes an example of its operation and of the status that it gets. */
export interface Step {
  /** Id of the operation in the table. */
  readonly call: string;
  /** Says what the example shows. A step without it is only on the way to others and is not shown. */
  readonly shows?: string;
  readonly params?: Readonly<Record<string, string>> | ((seen: Seen) => Readonly<Record<string, string>>);
  readonly query?: string;
  readonly body?: unknown;
  /** Sends no API key. */
  readonly anonymous?: true;
}

/** The operation whose last answer in the tour holds every delivery there was. */
export const DELIVERIES = 'deliveries.list';

const LIAM = { externalUserId: 'user-liam', email: 'liam@example.org', phoneNumber: '+4915123456789' };
const NEW_USER = { externalUserId: 'user-1001', email: 'mia@example.org', phoneNumber: '+4915112345679' };

/** Requests to the fixture `starter`, in an order in which each finds what it needs. */
export const tour: readonly Step[] = [
  { call: 'health', shows: 'A sandbox that is up' },
  { call: 'clock.get', shows: 'A frozen clock' },

  { call: 'webhooks.getConfig', shows: 'Before it is set' },
  {
    call: 'webhooks.updateConfig',
    shows: 'Address, secret and event types',
    body: {
      webhookUrl: 'https://hooks.example.org/cards',
      webhookSecret: '<WEBHOOK_SECRET>',
      subscribedEvents: ['cardholder.approved', 'card.issued', 'card.transaction'],
    },
  },
  { call: 'webhooks.updateConfig', body: { subscribedEvents: Object.keys(EVENT_MEANINGS) } },
  {
    call: 'webhookFaults.add',
    shows: 'The next delivery arrives twice',
    body: { kind: 'duplicate', eventType: 'card.issued', times: 1 },
  },
  { call: 'webhookFaults.list', shows: 'One fault' },
  { call: 'webhookFaults.clear', shows: 'All faults ended' },

  {
    call: 'cardholders.create',
    shows: 'New, with a share token',
    body: {
      ...NEW_USER,
      kycSource: 'idp1',
      idp1ShareToken: 'idp1_test_approve_1001',
      residenceCountryCode: 'DE',
      residenceCity: 'Berlin',
    },
  },
  {
    call: 'cardholders.create',
    shows: 'New, after a visit to the hosted page',
    body: {
      externalUserId: 'user-1002',
      email: 'noor@example.org',
      phoneNumber: '+33612345678',
      kycSource: 'web',
      kycSessionId: 'kycs_noor_approved',
    },
  },
  {
    call: 'cardholders.create',
    shows: 'New, with a share token of the other provider',
    body: {
      externalUserId: 'user-1003',
      email: 'dana@example.org',
      phoneNumber: '+420601123456',
      kycSource: 'idp2',
      idp2ShareToken: 'idp2_test_approve_1003',
    },
  },
  {
    call: 'cardholders.create',
    shows: 'Corrected KYC, re-imported with a fresh share token',
    body: { ...LIAM, kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_corrected' },
  },
  {
    call: 'cardholders.create',
    shows: 'The e-mail address is taken',
    body: {
      ...NEW_USER,
      externalUserId: 'user-1004',
      kycSource: 'idp1',
      idp1ShareToken: 'idp1_test_approve_1004',
    },
  },
  {
    call: 'cardholders.create',
    shows: 'The identity is with the card provider already',
    body: {
      ...NEW_USER,
      externalUserId: 'ch_nora_in_flight',
      email: 'nora@example.org',
      kycSource: 'idp1',
      idp1ShareToken: 'idp1_test_approve_nora',
    },
  },
  {
    call: 'cardholders.create',
    shows: 'An unknown KYC session',
    body: {
      ...NEW_USER,
      externalUserId: 'user-1005',
      email: 'x@example.org',
      kycSource: 'web',
      kycSessionId: 'kycs_1',
    },
  },
  {
    call: 'cardholders.initiateKyc',
    shows: 'Submitted to the card provider',
    params: { id: 'ch_liam_pending' },
    body: { cardProgramId: 'prog_everyday' },
  },
  {
    call: 'cardholders.initiateKyc',
    shows: 'An unknown card program',
    params: { id: 'ch_otto_rejected' },
    body: { cardProgramId: 'prog_unknown' },
  },
  { call: 'cardholders.get', shows: 'A cardholder', params: { id: 'ch_mia_approved' } },
  { call: 'cardholders.get', shows: 'An unknown id', params: { id: 'ch_unknown' } },
  {
    call: 'cardholders.list',
    shows: 'Two of the cardholders who have passed KYC',
    query: 'kycStatus=approved&limit=2',
  },

  { call: 'kycSessions.create', shows: 'A visit to the hosted page', body: { externalUserId: 'user-1006' } },
  {
    call: 'kycSessions.reject',
    shows: 'Rejected, as on the hosted page',
    params: seen => ({ id: memberOf(seen('kycSessions.create'), 'id') }),
    body: {},
  },
  { call: 'kycSessions.get', shows: 'An approved session', params: { id: 'kycs_noor_approved' } },

  { call: 'cardPrograms.list', shows: 'The card programs' },
  { call: 'cardPrograms.get', shows: 'A card program', params: { id: 'prog_everyday' } },

  { call: 'cards.list', shows: 'The active cards', query: 'status=active' },
  { call: 'cards.list', shows: 'A limit out of range', query: 'limit=101' },
  { call: 'cards.list', shows: 'No API key', anonymous: true },
  {
    call: 'cards.issue',
    shows: 'A card with a limit of its own',
    body: {
      cardholderId: 'ch_wendy_web',
      cardProgramId: 'prog_everyday',
      limit: 1500,
      spendControl: { sales: { perTransaction: 100 } },
    },
  },
  {
    call: 'cards.issue',
    shows: 'An unknown card program',
    body: { cardholderId: 'ch_wendy_web', cardProgramId: 'prog_unknown' },
  },
  { call: 'cards.get', shows: 'A card', params: { id: 'card_mia_active' } },
  { call: 'cards.activate', shows: 'Activated', params: { id: 'card_wendy_created' } },
  { call: 'cards.freeze', shows: 'Frozen', params: { id: 'card_mia_active' } },
  { call: 'cards.unfreeze', shows: 'Active again', params: { id: 'card_mia_active' } },
  { call: 'cards.cancel', shows: 'Cancelled for good', params: { id: 'card_sara_frozen' } },

  {
    call: 'cards.reveal',
    shows: 'A link that shows the card once',
    params: { id: 'card_mia_active' },
    body: { stylesheetUrl: 'https://app.example.org/card.css', copyPan: true },
  },

  {
    call: 'transactions.authorize',
    shows: 'Authorized',
    body: { cardId: 'card_mia_active', amount: 12.5, merchant: { name: 'Book Shop' } },
  },
  {
    call: 'transactions.settle',
    shows: 'Settled for less, as a restaurant bill may be',
    params: seen => ({ id: memberOf(seen('transactions.authorize'), 'id') }),
    body: { amount: 12 },
  },
  {
    call: 'transactions.authorize',
    shows: 'Declined by a limit',
    body: { cardId: 'card_mia_active', amount: 100_000 },
  },
  {
    call: 'transactions.authorize',
    shows: 'An unknown card',
    body: { cardId: 'card_unknown', amount: 1 },
  },
  { call: 'transactions.list', shows: 'What was declined', query: 'status=declined' },
  {
    call: 'transactions.get',
    shows: 'A settled transaction',
    params: seen => ({ id: memberOf(seen('transactions.settle'), 'id') }),
  },
  {
    call: 'threeDSecure.start',
    shows: 'A challenge',
    params: { id: 'card_mia_active' },
    body: { amount: 40 },
  },
  {
    call: 'threeDSecure.verify',
    shows: 'A wrong passcode',
    params: seen => ({ challengeId: memberOf(seen('threeDSecure.start'), 'challengeId') }),
    body: { otp: '***' },
  },
  { call: 'balance.get', shows: 'The balance' },
  { call: 'balance.topUp', shows: 'Topped up', body: { amount: 250 } },
  { call: 'events.raise', shows: 'An event about what is there', body: { eventType: 'balance.low' } },
  { call: 'events.raise', body: { eventType: 'balance.alert' } },

  { call: 'usage.list', shows: 'What was billed for card issuance', query: 'type=card_issuance&limit=2' },

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

function memberOf(answer: unknown, name: string): string {
  return String((answer as Record<string, unknown> | undefined)?.[name]);
}
