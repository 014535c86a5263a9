import type { Assumption } from '../../core/world/world.ts';

export const cardAssumptions = [
  {
    id: 'card-programs',
    section: '4.12',
    decision:
      'GET /partner/card-programs and /partner/card-programs/{id} return id, name, type, brand, currency, status, fees and createdAt.',
  },
  {
    id: 'card-issuance',
    section: '4.12',
    decision:
      'POST /partner/cards issues a card to an active cardholder with approved KYC; otherwise it is a 400. Fields that the body omits default to those of the card program, and the printed name to that of the cardholder. Issuing raises card.issued and creates one card_issuance usage record.',
  },
  {
    id: 'card-moves',
    section: '3.3',
    decision:
      'GET /partner/cards/{id} returns a card. POST …/activate, freeze, unfreeze and cancel change its status: created to active, active to frozen and back, any status except cancelled to cancelled. Any other change is a 400; each change raises card.status.changed.',
  },
  {
    id: 'card-values',
    section: '2.2',
    decision:
      'type is virtual or physical, brand is visa or mastercard. Card numbers are from the test ranges 424242 and 555555, and never appear in API responses, logs or the journal. limit caps sales and cash together over the lifetime of the card; a limit of 0 allows nothing, and spent.*.perTransaction is always 0.',
  },
  {
    id: 'reveal',
    section: '4.3',
    decision:
      'The link shows the card once, within 60 s of sandbox time; HEAD and OPTIONS do not use it up. A used or expired link is a 410, a changed one is a 403, and a link for a cancelled card cannot be created (400). stylesheetUrl is an absolute http(s) URL, whose style sheet may load fonts and images of its own origin. See docs/reveal-and-kyc.md#card-view.',
  },
  {
    id: 'copy-pan-default',
    section: '4.3',
    decision: 'copyPan is optional. Left out, it is false, or what the setting says.',
    setting: { type: 'choice', choices: [false, true], default: false },
  },
  {
    id: 'stylesheet-url',
    section: '4.3',
    decision: 'stylesheetUrl is optional. With required, a body without it is invalid input.',
    setting: { type: 'choice', choices: ['optional', 'required'], default: 'optional' },
  },
  {
    id: 'card-initial-status',
    section: '3.3',
    decision: 'A new card has status created. With active, it is active at once and needs no activation.',
    setting: { type: 'choice', choices: ['created', 'active'], default: 'created' },
  },
  {
    id: 'card-status-parameter',
    section: '4.4',
    decision:
      'The filter of cards by status is the query parameter status, or the one that the setting names.',
    setting: { type: 'name', default: 'status' },
  },
  {
    id: 'cardholder-parameter',
    section: '4.4',
    decision: 'Cards can also be filtered by cardholder, with the query parameter cardholderId.',
  },
  {
    id: 'usage-from-parameter',
    section: '4.6',
    decision:
      'The start of the period of usage records is the query parameter from, or the one that the setting names.',
    setting: { type: 'name', default: 'from' },
  },
  {
    id: 'usage-to-parameter',
    section: '4.6',
    decision:
      'The end of the period of usage records is the query parameter to, or the one that the setting names.',
    setting: { type: 'name', default: 'to' },
  },
  {
    id: 'usage-period-parameter',
    section: '4.6',
    decision:
      'The filter of usage records by billing period is the query parameter billingPeriod, or the one that the setting names.',
    setting: { type: 'name', default: 'billingPeriod' },
  },
  {
    id: 'usage-type-parameter',
    section: '4.6',
    decision:
      'The filter of usage records by type is the query parameter type, or the one that the setting names.',
    setting: { type: 'name', default: 'type' },
  },
  {
    id: 'usage',
    section: '2.4',
    decision:
      "The amount of a usage record is the program's fee, and its billing period is the month of createdAt in UTC. A kyc_verification record refers to the cardholder. Usage records do not change the balance.",
  },
] as const satisfies readonly Assumption[];
