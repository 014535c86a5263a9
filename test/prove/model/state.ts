import { ALL_TYPES } from '../../support/receiver.ts';
import { ACME_KEY, GLOBEX_KEY, START } from '../../support/sandbox.ts';

/** Where a share token comes from. */
export type Source = 'idp1' | 'idp2';
/** States of a card. */
export type CardStatus = 'created' | 'active' | 'frozen' | 'cancelled';
type Four = readonly [number, number, number, number];

/** A cardholder as the model knows it. */
export interface Person {
  id: string;
  partner: number;
  who: number;
  email: string;
  source: Source;
  status: 'active' | 'suspended' | 'closed';
  kycStatus: 'pending' | 'approved' | 'rejected';
  outcome: string;
  lock: 'provider_submitted' | 'card_issued' | null;
  inFlight: boolean;
  /** When the provider will decide; null while it will not by itself. */
  due: number | null;
}

/** A card, its limits in hundredths. */
export interface Card {
  id: string;
  partner: number;
  holder: string;
  status: CardStatus;
  lastMonth: string;
  limit: number;
  sale: Four;
  cash: Four;
}

/** A transaction; `counted` is what it holds or has settled. */
export interface Payment {
  id: string;
  card: string;
  partner: number;
  type: 'sale' | 'cash';
  amount: number;
  status: 'authorized' | 'declined' | 'settled' | 'reversed';
  counted: number;
  at: number;
}

/** An event on its way. `told` is what its body tells apart: a record's id, or the amount available. */
export interface Delivery {
  partner: number;
  type: string;
  resource: string;
  told: string;
  createdAt: number;
  status: 'pending' | 'delivered' | 'failed';
  attempts: { at: number; ok: boolean }[];
  next: number | null;
  manual: boolean;
}

/** A world as the model knows it: plain data, so that a copy is a checkpoint. No sum is kept: each is made anew. */
export interface State {
  now: number;
  people: Person[];
  cards: Card[];
  payments: Payment[];
  usedTokens: string[];
  toppedUp: number[];
  usage: number[];
  keys: { key: string; partner: number; until: number | null }[];
  hooks: { hasUrl: boolean; types: string[] }[];
  deliveries: Delivery[];
}

/** The partners of the fixture: what they begin with and their thresholds, in hundredths, and a program of theirs. */
export const PARTNERS = [
  { id: 'partner_acme', opening: 100_000, alert: 30_000, low: 10_000, program: 'prog_eur' },
  { id: 'partner_globex', opening: 50_000, alert: 0, low: 0, program: 'prog_globex' },
] as const;

/** Limits of cards, in hundredths: windows in the order in which they are checked. */
export const LIMITS = {
  small: {
    limit: 11_000,
    sale: [4_000, 6_000, 8_000, 10_000],
    cash: [2_000, 2_000, 3_000, 5_000],
  },
  large: { limit: 1e8, sale: [1e8, 1e8, 1e8, 1e8], cash: [1e8, 1e8, 1e8, 1e8] },
} as const;

const FOREVER = '9999-12';

/** A person of whom nothing but this is known yet. */
export function newPerson(
  members: Pick<Person, 'id' | 'partner' | 'who' | 'email' | 'source' | 'outcome'>,
): Person {
  return { ...members, status: 'active', kycStatus: 'pending', lock: null, inFlight: false, due: null };
}

/** A card that was issued. */
export function newCard(members: Pick<Card, 'id' | 'partner' | 'holder'>, small: boolean): Card {
  return { ...members, status: 'created', lastMonth: FOREVER, ...LIMITS[small ? 'small' : 'large'] };
}

/** The world of the fixture, with both partners subscribed to everything. */
export function openingState(): State {
  const approved = (id: string, partner: number): Person => ({
    ...newPerson({ id, partner, who: 3, email: 'person_3@example.com', source: 'idp1', outcome: 'approve' }),
    kycStatus: 'approved',
    lock: 'card_issued',
  });
  const card = (id: string, status: CardStatus, small = false): Card => ({
    ...newCard({ id, partner: 0, holder: 'ch_mia' }, small),
    status,
  });
  return {
    now: Date.parse(START),
    people: [approved('ch_mia', 0), approved('ch_gus', 1)],
    cards: [
      card('card_small', 'active', true),
      card('card_large', 'active'),
      card('card_new', 'created'),
      card('card_frozen', 'frozen'),
      card('card_cancelled', 'cancelled'),
      { ...card('card_expiring', 'active'), lastMonth: '2026-03' },
      { ...card('card_gus', 'active'), partner: 1, holder: 'ch_gus' },
    ],
    payments: [],
    usedTokens: [],
    toppedUp: [0, 0],
    usage: [0, 0],
    keys: [
      { key: ACME_KEY, partner: 0, until: null },
      { key: GLOBEX_KEY, partner: 1, until: null },
    ],
    hooks: PARTNERS.map(() => ({ hasUrl: true, types: [...ALL_TYPES] })),
    deliveries: [],
  };
}
