import type { Member } from '../../../sandbox/operation-members.ts';

/** Values by the name of a member, as the records of the fixture `starter` have them. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  email: 'ana@example.org',
  phoneNumber: '+351912345678',
  kycSource: 'idp1',
  kycSessionId: 'kycs_omar_pending',
  idp1ShareToken: 'idp1_test_approve_1',
  idp2ShareToken: 'idp2_test_approve_1',
  externalUserId: 'user-1',
  residenceCountryCode: 'PT',
  residenceStateProvince: 'Lisboa',
  residenceCity: 'Lisboa',
  residenceAddressDetail: 'Rua Augusta 1',
  postalCode: '1100-048',
  cardholderId: 'ch_mia_approved',
  cardId: 'card_mia_active',
  cardProgramId: 'prog_travel',
  nameOnCard: 'ANA SILVA',
  redirectUrl: 'https://app.example.org/done',
  stylesheetUrl: 'https://app.example.org/card.css',
  webhookUrl: 'https://app.example.org/webhooks',
  webhookSecret: 'whsec_0123456789abcdef',
  subscribedEvents: ['card.issued'],
  page: 1,
  limit: 100,
  from: '2026-01-01T00:00:00Z',
  to: '2026-02-01T00:00:00Z',
  billingPeriod: '2026-01',
};

const BY_KIND: Readonly<Record<Member['kind'], unknown>> = {
  text: 'text',
  number: 12.5,
  flag: true,
  json: {},
  texts: ['text'],
  pairs: {},
};

/** Returns a value that the schema of a member accepts. */
export function exampleValue({ path, kind, choices }: Member): unknown {
  const known = BY_NAME[path.at(-1) ?? ''];
  if (choices === null) return known ?? BY_KIND[kind];
  return typeof known === 'string' && choices.includes(known) ? known : choices[0];
}
