import type { Assumption } from '../../core/world/world.ts';

export const cardholderAssumptions = [
  {
    id: 'cardholder-creation',
    section: '3.5',
    decision:
      'A new cardholder has status active and KYC status pending. Creating it raises cardholder.created.',
  },
  {
    id: 'cardholder-uniqueness',
    section: '4.1',
    decision: 'E-mail addresses and external ids are unique within a partner. Closed cardholders count.',
  },
  {
    id: 'email-format',
    section: '4.1',
    decision:
      "An e-mail address has a local part of letters, digits and !#$%&'*+/=?^_`{|}~- with dots between them, and a domain of at least two labels, xn-- ones included. It has at most 254 characters.",
  },
  {
    id: 'phone-format',
    section: '4.1',
    decision: 'A phone number is + and 1 to 15 digits, the first of which is not 0.',
  },
  {
    id: 'email-comparison',
    section: '7',
    decision:
      'E-mail addresses are compared without regard to case, in the filter of lists too. With sensitive, addresses that differ in case are different addresses; fixtures have none of them.',
    setting: { type: 'choice', choices: ['insensitive', 'sensitive'], default: 'insensitive' },
  },
  {
    id: 'reimport-order',
    section: '4.1',
    decision:
      'A re-import onto an existing external id is checked in this order: body, lock (an issued card takes precedence over a submission), same source, status active, e-mail available, token valid. A refused re-import changes nothing and does not use up the token.',
  },
  {
    id: 'reimport-sources',
    section: '4.1',
    decision:
      'Only share-token sources can be re-imported; a second web submission for the same external id is a 400. A re-import raises no event and keeps id and createdAt.',
  },
  {
    id: 'idp2-variant',
    section: '4.1',
    decision:
      'The idp2 variant works like idp1, with the field idp2ShareToken. Its cardholders have kycSource idp2. Cardholders with kycSource api come from fixtures only; the API cannot create them.',
  },
  {
    id: 'share-tokens',
    section: '4.1',
    decision:
      'A share token belongs to one partner and one source. An unknown, used or expired token is a 400.',
  },
  {
    id: 'magic-tokens',
    section: '4.1',
    decision:
      'A share token of the form <source>_test_<approve|reject|manual>_<anything> does not have to be issued: it is created on first use, and the same text always yields the same person. With off, it is unknown like any other text.',
    setting: { type: 'choice', choices: ['on', 'off'], default: 'on' },
  },
  {
    id: 'address-fields',
    section: '2.1',
    decision:
      'Address fields in the body take precedence over those of the token. The API never returns the address; the control plane does. Country codes are ISO 3166-1, in upper case.',
  },
  {
    id: 'web-kyc',
    section: '4.1',
    decision:
      'An unknown KYC session is a 404. A session that is not approved, or that another cardholder has used, is a 400. Name and address come from the session.',
  },
  {
    id: 'kyc-sessions',
    section: '4.12',
    decision:
      'Creating a KYC session accepts an optional externalUserId and redirectUrl, and returns a 201 with id, url, status, externalUserId, createdAt and expiresAt (24 h later). A pending session becomes approved, rejected or expired. An approval raises kyc_session.completed, a rejection kyc_session.failed.',
  },
  {
    id: 'kyc-initiation',
    section: '4.2',
    decision:
      'Submitting KYC needs an active cardholder without a submission that is in flight or approved; otherwise it is a 400. A submission locks re-import permanently and creates one kyc_verification usage record.',
  },
  {
    id: 'kyc-after-rejection',
    section: '4.2',
    decision: 'A rejected cardholder can be submitted again. With refused, that is a 400.',
    setting: { type: 'choice', choices: ['allowed', 'refused'], default: 'allowed' },
  },
  {
    id: 'kyc-decision',
    section: '3.2',
    decision:
      'The simulated provider decides after the KYC delay. It applies the outcome of the token or session, and approves if there is none; with the outcome manual, it waits for the control plane. A decision raises cardholder.kyc.updated; an approval then raises cardholder.approved.',
  },
  {
    id: 'kyc-rejection-reasons',
    section: '3.2',
    decision:
      'A rejection of a KYC submission or session by the control plane or on the hosted page can have reasons: document_expired, document_unreadable, selfie_mismatch, name_mismatch, underage, sanctions_hit, duplicate_identity, other. Only the control plane and the dashboard show them, no response of the API and no webhook does. Another submission clears them.',
  },
  {
    id: 'cardholder-moves',
    section: '3.1',
    decision:
      'A cardholder can change between active and suspended, and from either to closed. Closed is final. Only the control plane changes the status.',
  },
  {
    id: 'cardholder-list',
    section: '4.12',
    decision:
      'GET /partner/cardholders lists cardholders, with the filters status, kycStatus, externalUserId and email.',
  },
  {
    id: 'kyc-page',
    section: '4.12',
    decision:
      'The hosted KYC page shows a generated person, whose data can be edited, with an approve and a reject button. Afterwards it redirects to redirectUrl with kycSessionId and status added to the query, or shows the result. It accepts the same hosts and origins as the control plane, but needs no control token. See docs/reveal-and-kyc.md#kyc-page.',
  },
] as const satisfies readonly Assumption[];
