import type { Assumption } from '../../kernel/operation/host.ts';

/** Assumptions about card programs, cards, reveal links and usage records. */
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
      'GET /partner/cards/{id} returns a card. POST …/activate, freeze, unfreeze and cancel change its status: created to active, active to frozen and back, any status except cancelled to cancelled. Any other change is a 400. Each change raises card.status.changed.',
  },
  {
    id: 'card-values',
    section: '2.2',
    decision:
      'type is virtual or physical, brand is visa or mastercard. Card numbers are from the test ranges 424242 and 555555. They never appear in API responses, logs or the journal. limit caps sales and cash together over the lifetime of the card; a limit of 0 allows nothing. spent.*.perTransaction is always 0.',
  },
  {
    id: 'reveal',
    section: '4.3',
    decision:
      "stylesheetUrl is an optional absolute http(s) URL. copyPan is optional and defaults to false. A cancelled card is a 400. The link shows the card once, within 60 s of sandbox time. A used or expired link is a 410; a wrong signature, or an expires that differs from the record, is a 403. HEAD and OPTIONS do not use up the link. The partner's allowed origins can embed the page in a frame; if there are none, any page can. The style sheet may load fonts and images of its own origin, but no @import; the browser reports what was not loaded in its console and, as a hint of the request for the link, in the journal. Beyond 1,000 links per partner, a new link removes the oldest one that is used or expired; it remains a 410.",
  },
  {
    id: 'filter-names',
    section: '4.4',
    decision:
      'The filters that the interface does not name are status and cardholderId for cards, and from, to, billingPeriod and type for usage records.',
  },
  {
    id: 'usage',
    section: '2.4',
    decision:
      "The amount of a usage record is the program's fee. Its billing period is the month of createdAt in UTC. A kyc_verification record refers to the cardholder. Usage records do not change the balance.",
  },
] as const satisfies readonly Assumption[];
