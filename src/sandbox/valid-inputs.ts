import type * as z from 'zod';
import type { CreateCardholderBody, InitiateKycBody } from '../service/cardholders/schema.ts';
import type { IssueCardBody } from '../service/cards/schema.ts';
import type { KycSessionBody } from '../service/kyc/schema.ts';
import type { RevealBody } from '../service/reveal/schema.ts';
import { EVENT_TYPES } from '../service/webhooks/event-types.ts';
import type { WebhookConfigChange } from '../service/webhooks/schema.ts';

/** A request that a new sandbox with the fixture `starter` accepts, unless it has an id of `EARLIER`. */
export interface ValidInput {
  /** What the request shows. */
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type Inputs = Readonly<Record<string, readonly ValidInput[]>>;

/** Stands for the ids of records that only earlier requests make: of a delivery and of a 3-D Secure challenge. */
export const EARLIER = { delivery: 'evt_5q0hmw7c2r9x4dtk', challenge: 'tds_8v1ngp6b3z0y7jfe' } as const;

const PAGE = { page: '1', limit: '20' } as const;
const THIS_YEAR = { from: '2026-01-01T00:00:00Z', to: '2026-12-31T23:59:59Z' } as const;

/**
 * Valid requests by the ids of their operations: of the API, and of the control plane where an example is needed.
 * They are accepted one after the other, too, in this order and in the order of the table of operations.
 */
export const VALID_INPUTS = {
  health: [{ summary: 'A sandbox that is up' }],
  'clock.get': [{ summary: 'A frozen clock' }],
  'webhooks.getConfig': [{ summary: 'Before it is configured' }],
  'webhooks.updateConfig': [
    {
      summary: 'Address, secret and event types',
      body: {
        webhookUrl: 'https://hooks.example.org/cards',
        webhookSecret: 'a-secret-of-16-characters-or-more',
        subscribedEvents: [...EVENT_TYPES],
      } satisfies z.input<typeof WebhookConfigChange>,
    },
  ],
  'webhookFaults.add': [
    {
      summary: 'The next delivery arrives twice',
      body: { kind: 'duplicate', eventType: 'card.issued', times: 1 },
    },
  ],
  'webhookFaults.list': [{ summary: 'One fault' }],
  'webhookFaults.clear': [{ summary: 'All faults ended' }],

  'shareTokens.mint': [
    { summary: 'A token for a person', body: { identity: { firstName: 'Mia', lastName: 'Wong' } } },
  ],
  'kycSessions.create': [
    {
      summary: 'A visit to the hosted page',
      body: {
        externalUserId: 'user-1006',
        redirectUrl: 'https://app.example.org/kyc/done',
      } satisfies z.input<typeof KycSessionBody>,
    },
  ],
  'kycSessions.get': [{ summary: 'An approved session', params: { id: 'kycs_noor_approved' } }],
  'kycSessions.approve': [
    { summary: 'Approved, as on the hosted page', params: { id: 'kycs_omar_pending' }, body: {} },
  ],
  'cardholders.create': [
    {
      summary: 'New, with a share token',
      body: {
        externalUserId: 'user-1001',
        email: 'mia@example.org',
        phoneNumber: '+4915112345679',
        kycSource: 'idp1',
        idp1ShareToken: 'idp1_test_approve_1001',
      } satisfies z.input<typeof CreateCardholderBody>,
    },
    {
      summary: 'New, after a visit to the hosted page',
      body: {
        externalUserId: 'user-1002',
        email: 'noor@example.org',
        phoneNumber: '+33612345678',
        kycSource: 'web',
        kycSessionId: 'kycs_noor_approved',
      } satisfies z.input<typeof CreateCardholderBody>,
    },
    {
      summary: 'New, with a share token of the other provider',
      body: {
        externalUserId: 'user-1003',
        email: 'dana@example.org',
        phoneNumber: '+420601123456',
        kycSource: 'idp2',
        idp2ShareToken: 'idp2_test_approve_1003',
      } satisfies z.input<typeof CreateCardholderBody>,
    },
    {
      summary: 'Corrected KYC, re-imported with a fresh share token',
      body: {
        externalUserId: 'user-liam',
        email: 'liam@example.org',
        phoneNumber: '+4915123456789',
        kycSource: 'idp1',
        idp1ShareToken: 'idp1_test_approve_corrected',
        residenceCountryCode: 'DE',
        residenceStateProvince: 'Berlin',
        residenceCity: 'Berlin',
        residenceAddressDetail: 'Lindenstraße 1',
        postalCode: '10969',
      } satisfies z.input<typeof CreateCardholderBody>,
    },
  ],
  'cardholders.list': [
    {
      summary: 'The cardholder of an external id',
      query: {
        ...PAGE,
        status: 'active',
        kycStatus: 'pending',
        externalUserId: 'user-liam',
        email: 'liam@example.org',
      },
    },
  ],
  'cardholders.get': [{ summary: 'A cardholder', params: { id: 'ch_mia_approved' } }],
  'cardholders.initiateKyc': [
    {
      summary: 'Submitted to the card provider',
      params: { id: 'ch_liam_pending' },
      body: { cardProgramId: 'prog_everyday' } satisfies z.input<typeof InitiateKycBody>,
    },
  ],
  'cardholders.kyc.approve': [{ summary: 'Approved now', params: { id: 'ch_nora_in_flight' } }],
  'cardholders.details': [{ summary: 'All details of a cardholder', params: { id: 'ch_nora_in_flight' } }],
  'cardholders.addApproved': [
    { summary: 'A person who has passed KYC', body: { identity: { firstName: 'Ida' } } },
  ],
  'cardholders.status': [
    { summary: 'Suspended', params: { id: 'ch_ada_api' }, body: { status: 'suspended' } },
  ],

  'cardPrograms.list': [{ summary: 'The card programs', query: PAGE }],
  'cardPrograms.get': [{ summary: 'A card program', params: { id: 'prog_everyday' } }],
  'cards.issue': [
    {
      summary: 'A card with the limits of its program',
      body: {
        cardholderId: 'ch_wendy_web',
        cardProgramId: 'prog_everyday',
      } satisfies z.input<typeof IssueCardBody>,
    },
    {
      summary: 'A card with its own limits',
      body: {
        cardholderId: 'ch_wendy_web',
        cardProgramId: 'prog_everyday',
        type: 'virtual',
        nameOnCard: 'WENDY',
        limit: 1500,
        spendControl: {
          sales: { perTransaction: 100, daily: 250, monthly: 1000, allTime: 1500 },
          cash: { perTransaction: 50, daily: 50, monthly: 200, allTime: 500 },
        },
      } satisfies z.input<typeof IssueCardBody>,
    },
  ],
  'cards.issueActive': [
    { summary: 'Issued and activated', body: { cardholderId: 'ch_mia_approved', limit: 1500 } },
  ],
  'cards.setLimits': [
    {
      summary: 'A daily limit',
      params: { id: 'card_mia_active' },
      body: { spendControl: { sales: { daily: 500 } } },
    },
  ],
  'transactions.authorize': [
    {
      summary: 'Authorized',
      body: { cardId: 'card_mia_active', amount: 12.5, merchant: { name: 'Book Shop' } },
    },
    { summary: 'Declined by a limit', body: { cardId: 'card_mia_active', amount: 100_000 } },
  ],
  'transactions.settle': [
    {
      summary: 'Settled for less than was authorized',
      params: { id: 'txn_mia_open' },
      body: { amount: 12 },
    },
  ],
  'threeDSecure.start': [{ summary: 'A challenge', params: { id: 'card_mia_active' }, body: { amount: 40 } }],
  'threeDSecure.list': [{ summary: 'The challenges of a card', query: { cardId: 'card_mia_active' } }],
  'threeDSecure.get': [{ summary: 'A pending challenge', params: { challengeId: EARLIER.challenge } }],
  'threeDSecure.verify': [
    { summary: 'A wrong passcode', params: { challengeId: EARLIER.challenge }, body: { otp: '***' } },
  ],
  'transactions.list': [
    {
      summary: 'The declined transactions of a card',
      query: { ...PAGE, ...THIS_YEAR, cardId: 'card_mia_active', status: 'declined' },
    },
  ],
  'transactions.get': [{ summary: 'A settled transaction', params: { id: 'txn_mia_hotel' } }],
  'cards.list': [
    {
      summary: 'The active cards of a cardholder',
      query: { ...PAGE, status: 'active', cardholderId: 'ch_mia_approved' },
    },
  ],
  'cards.get': [{ summary: 'A card', params: { id: 'card_mia_active' } }],
  'cards.activate': [{ summary: 'Activated', params: { id: 'card_wendy_created' } }],
  'cards.freeze': [{ summary: 'Frozen', params: { id: 'card_mia_active' } }],
  'cards.unfreeze': [{ summary: 'Active again', params: { id: 'card_mia_travel' } }],
  'cards.cancel': [{ summary: 'Cancelled for good', params: { id: 'card_sara_frozen' } }],
  'cards.reveal': [
    {
      summary: 'A link that shows the card once',
      params: { id: 'card_mia_active' },
      body: { stylesheetUrl: 'https://app.example.org/card.css', copyPan: true } satisfies z.input<
        typeof RevealBody
      >,
    },
  ],
  'balance.get': [{ summary: 'The balance' }],
  'balance.topUp': [{ summary: 'Topped up', body: { amount: 250 } }],
  'usage.list': [
    {
      summary: 'The fees for card issuance of a month',
      query: { ...PAGE, ...THIS_YEAR, billingPeriod: '2026-03', type: 'card_issuance' },
    },
  ],

  'events.raise': [{ summary: 'An event about the current balance', body: { eventType: 'balance.low' } }],
  'clock.advance': [{ summary: 'A day later', body: { duration: '24h' } }],
  'webhooks.listEvents': [
    {
      summary: 'The deliveries of an event type that are not retried again',
      query: { ...PAGE, ...THIS_YEAR, status: 'failed', eventType: 'card.issued' },
    },
  ],
  'webhooks.getEvent': [{ summary: 'A failed delivery', params: { eventId: EARLIER.delivery } }],
  'deliveries.settle': [{ summary: 'Nothing is in flight' }],
  'deliveries.wait': [{ summary: 'The card that was issued', body: { eventType: 'card.issued' } }],
  'webhooks.retryEvent': [{ summary: 'One more attempt', params: { eventId: EARLIER.delivery } }],
  'requests.list': [{ summary: 'Cards that were issued', query: { operation: 'cards.issue' } }],
  'partners.getSettings': [{ summary: 'The settings of a partner', params: { id: 'partner_acme' } }],
  'partners.updateSettings': [
    { summary: 'Thresholds of the balance', params: { id: 'partner_acme' }, body: { lowThreshold: 100 } },
  ],
} as const satisfies Inputs;

const INPUTS: Inputs = VALID_INPUTS;

export function validInputs(operation: string): readonly ValidInput[] {
  return INPUTS[operation] ?? [];
}
