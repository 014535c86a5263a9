import { EVENT_MEANINGS } from '../../../sandbox/operations.ts';
import { memberOf, type Step } from './step.ts';

const LIAM = { externalUserId: 'user-liam', email: 'liam@example.org', phoneNumber: '+4915123456789' };
const NEW_USER = { externalUserId: 'user-1001', email: 'mia@example.org', phoneNumber: '+4915112345679' };

/** Configures webhooks, then creates and identifies cardholders. */
export const people: readonly Step[] = [
  { operation: 'health', summary: 'A sandbox that is up' },
  { operation: 'clock.get', summary: 'A frozen clock' },

  { operation: 'webhooks.getConfig', summary: 'Before it is configured' },
  {
    operation: 'webhooks.updateConfig',
    summary: 'Address, secret and event types',
    body: {
      webhookUrl: 'https://hooks.example.org/cards',
      webhookSecret: '<WEBHOOK_SECRET>',
      subscribedEvents: ['cardholder.approved', 'card.issued', 'card.transaction'],
    },
  },
  { operation: 'webhooks.updateConfig', body: { subscribedEvents: Object.keys(EVENT_MEANINGS) } },
  {
    operation: 'webhookFaults.add',
    summary: 'The next delivery arrives twice',
    body: { kind: 'duplicate', eventType: 'card.issued', times: 1 },
  },
  { operation: 'webhookFaults.list', summary: 'One fault' },
  { operation: 'webhookFaults.clear', summary: 'All faults ended' },

  {
    operation: 'cardholders.create',
    summary: 'New, with a share token',
    body: {
      ...NEW_USER,
      kycSource: 'idp1',
      idp1ShareToken: 'idp1_test_approve_1001',
      residenceCountryCode: 'DE',
      residenceCity: 'Berlin',
    },
  },
  {
    operation: 'cardholders.create',
    summary: 'New, after a visit to the hosted page',
    body: {
      externalUserId: 'user-1002',
      email: 'noor@example.org',
      phoneNumber: '+33612345678',
      kycSource: 'web',
      kycSessionId: 'kycs_noor_approved',
    },
  },
  {
    operation: 'cardholders.create',
    summary: 'New, with a share token of the other provider',
    body: {
      externalUserId: 'user-1003',
      email: 'dana@example.org',
      phoneNumber: '+420601123456',
      kycSource: 'idp2',
      idp2ShareToken: 'idp2_test_approve_1003',
    },
  },
  {
    operation: 'cardholders.create',
    summary: 'Corrected KYC, re-imported with a fresh share token',
    body: { ...LIAM, kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_corrected' },
  },
  {
    operation: 'cardholders.create',
    summary: 'The e-mail address is taken',
    body: {
      ...NEW_USER,
      externalUserId: 'user-1004',
      kycSource: 'idp1',
      idp1ShareToken: 'idp1_test_approve_1004',
    },
  },
  {
    operation: 'cardholders.create',
    summary: 'The identity was already submitted to the card provider',
    body: {
      ...NEW_USER,
      externalUserId: 'ch_nora_in_flight',
      email: 'nora@example.org',
      kycSource: 'idp1',
      idp1ShareToken: 'idp1_test_approve_nora',
    },
  },
  {
    operation: 'cardholders.create',
    summary: 'An unknown KYC session',
    body: {
      ...NEW_USER,
      externalUserId: 'user-1005',
      email: 'x@example.org',
      kycSource: 'web',
      kycSessionId: 'kycs_1',
    },
  },
  {
    operation: 'cardholders.initiateKyc',
    summary: 'Submitted to the card provider',
    params: { id: 'ch_liam_pending' },
    body: { cardProgramId: 'prog_everyday' },
  },
  {
    operation: 'cardholders.initiateKyc',
    summary: 'An unknown card program',
    params: { id: 'ch_otto_rejected' },
    body: { cardProgramId: 'prog_unknown' },
  },
  { operation: 'cardholders.get', summary: 'A cardholder', params: { id: 'ch_mia_approved' } },
  { operation: 'cardholders.get', summary: 'An unknown id', params: { id: 'ch_unknown' } },
  {
    operation: 'cardholders.list',
    summary: 'Two cardholders whose KYC is approved',
    query: 'kycStatus=approved&limit=2',
  },
  { operation: 'cardholders.list', query: 'status=active&externalUserId=user-liam&email=liam@example.org' },

  {
    operation: 'cardholders.addApproved',
    summary: 'A person who has passed KYC',
    body: { identity: { firstName: 'Ida' } },
  },

  {
    operation: 'kycSessions.create',
    summary: 'A visit to the hosted page',
    body: { externalUserId: 'user-1006' },
  },
  {
    operation: 'kycSessions.reject',
    summary: 'Rejected, as on the hosted page',
    params: lastBody => ({ id: memberOf(lastBody('kycSessions.create'), 'id') }),
    body: {},
  },
  { operation: 'kycSessions.get', summary: 'An approved session', params: { id: 'kycs_noor_approved' } },
];
