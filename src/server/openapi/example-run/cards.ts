import { memberOf, PERIOD, type Step } from './step.ts';

/** Issues, moves, reveals and uses cards, and lists the usage records. */
export const cards: readonly Step[] = [
  { operation: 'cardPrograms.list', summary: 'The card programs' },
  { operation: 'cardPrograms.get', summary: 'A card program', params: { id: 'prog_everyday' } },

  { operation: 'cards.list', summary: 'The active cards', query: 'status=active' },
  { operation: 'cards.list', query: 'cardholderId=ch_mia_approved' },
  { operation: 'cards.list', summary: 'A limit out of range', query: 'limit=101' },
  { operation: 'cards.list', summary: 'No API key', anonymous: true },
  {
    operation: 'cards.issue',
    summary: 'A card with its own limit',
    body: {
      cardholderId: 'ch_wendy_web',
      cardProgramId: 'prog_everyday',
      limit: 1500,
      spendControl: { sales: { perTransaction: 100 } },
    },
  },
  {
    operation: 'cards.issue',
    summary: 'An unknown card program',
    body: { cardholderId: 'ch_wendy_web', cardProgramId: 'prog_unknown' },
  },
  {
    operation: 'cards.issueActive',
    summary: 'Issued and activated',
    body: { cardholderId: 'ch_mia_approved', limit: 1500 },
  },
  {
    operation: 'cards.setLimits',
    summary: 'A daily limit',
    params: { id: 'card_mia_active' },
    body: { spendControl: { sales: { daily: 500 } } },
  },
  { operation: 'cards.get', summary: 'A card', params: { id: 'card_mia_active' } },
  { operation: 'cards.activate', summary: 'Activated', params: { id: 'card_wendy_created' } },
  { operation: 'cards.freeze', summary: 'Frozen', params: { id: 'card_mia_active' } },
  { operation: 'cards.unfreeze', params: { id: 'card_mia_active' } },
  { operation: 'cards.unfreeze', summary: 'Active again', params: { id: 'card_mia_travel' } },
  { operation: 'cards.cancel', summary: 'Cancelled for good', params: { id: 'card_sara_frozen' } },

  {
    operation: 'cards.reveal',
    summary: 'A link that shows the card once',
    params: { id: 'card_mia_active' },
    body: { stylesheetUrl: 'https://app.example.org/card.css', copyPan: true },
  },

  {
    operation: 'transactions.authorize',
    summary: 'Authorized',
    body: { cardId: 'card_mia_active', amount: 12.5, merchant: { name: 'Book Shop' } },
  },
  {
    operation: 'transactions.settle',
    summary: 'Settled for less than was authorized',
    params: lastBody => ({ id: memberOf(lastBody('transactions.authorize'), 'id') }),
    body: { amount: 12 },
  },
  {
    operation: 'transactions.authorize',
    summary: 'Declined by a limit',
    body: { cardId: 'card_mia_active', amount: 100_000 },
  },
  {
    operation: 'transactions.authorize',
    summary: 'An unknown card',
    body: { cardId: 'card_unknown', amount: 1 },
  },
  { operation: 'transactions.list', summary: 'The declined transactions', query: 'status=declined' },
  { operation: 'transactions.list', query: `cardId=card_mia_active&${PERIOD}` },
  {
    operation: 'transactions.get',
    summary: 'A settled transaction',
    params: { id: 'txn_mia_hotel' },
  },
  {
    operation: 'threeDSecure.start',
    summary: 'A challenge',
    params: { id: 'card_mia_active' },
    body: { amount: 40 },
  },
  {
    operation: 'threeDSecure.list',
    summary: 'The challenges of a card',
    query: 'cardId=card_mia_active',
  },
  {
    operation: 'threeDSecure.get',
    summary: 'A pending challenge',
    params: lastBody => ({ challengeId: memberOf(lastBody('threeDSecure.start'), 'challengeId') }),
  },
  {
    operation: 'threeDSecure.verify',
    summary: 'A wrong passcode',
    params: lastBody => ({ challengeId: memberOf(lastBody('threeDSecure.start'), 'challengeId') }),
    body: { otp: '***' },
  },
  { operation: 'balance.get', summary: 'The balance' },
  { operation: 'balance.topUp', summary: 'Topped up', body: { amount: 250 } },
  {
    operation: 'events.raise',
    summary: 'An event about the current balance',
    body: { eventType: 'balance.low' },
  },
  { operation: 'events.raise', body: { eventType: 'balance.alert' } },

  { operation: 'usage.list', summary: 'The fees for card issuance', query: 'type=card_issuance&limit=2' },
  { operation: 'usage.list', query: `billingPeriod=2026-03&${PERIOD}` },
];
