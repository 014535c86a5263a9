import { EVENT_MEANINGS } from '../../sandbox/operations.ts';
import { memberOf, type Step } from './step.ts';

const LIAM = { externalUserId: 'user-liam', email: 'liam@example.org', phoneNumber: '+4915123456789' };
const NEW_USER = { externalUserId: 'user-1001', email: 'mia@example.org', phoneNumber: '+4915112345679' };

/** Webhooks are configured, then people are created and identified. */
export const people: readonly Step[] = [
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
];
