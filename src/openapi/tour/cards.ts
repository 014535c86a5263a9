import { memberOf, type Step } from './step.ts';

/** Cards are issued, moved, shown and used, and that is billed. */
export const cards: readonly Step[] = [
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
];
