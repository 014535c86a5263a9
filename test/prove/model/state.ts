import { ALL_TYPES } from '../../support/receiver.ts';
import { ACME_KEY, GLOBEX_KEY, START } from '../../support/sandbox.ts';
import { type Assumed, USUAL } from './settings.ts';

/** The issuer of a share token. */
export type Source = 'idp1' | 'idp2';
/** The states of a card. */
export type CardStatus = 'created' | 'active' | 'frozen' | 'cancelled';
type FourLimits = readonly [number, number, number, number];

/** A cardholder in the model. */
export interface Person {
  id: string;
  partner: number;
  user: number;
  email: string;
  source: Source;
  status: 'active' | 'suspended' | 'closed';
  kycStatus: 'pending' | 'approved' | 'rejected';
  outcome: string;
  lock: 'provider_submitted' | 'card_issued' | null;
  inFlight: boolean;
  /** When the provider decides; null when it does not decide by itself. */
  due: number | null;
}

/** A card, with limits in hundredths. */
export interface Card {
  id: string;
  partner: number;
  holder: string;
  status: CardStatus;
  lastMonth: string;
  limit: number;
  sale: FourLimits;
  cash: FourLimits;
}

/** A transaction; `charged` is the amount on hold or settled, `amount` what is or was authorized. */
export interface Payment {
  id: string;
  card: string;
  partner: number;
  type: 'sale' | 'cash';
  amount: number;
  status: 'authorized' | 'declined' | 'settled' | 'reversed';
  charged: number;
  at: number;
  /** Why it was reversed. */
  reversal: 'expired' | 'merchant' | null;
  /** When the authorization expires. */
  expires: number;
}

/** A delivery. `subject` identifies the event by its body: a record ID, or the available amount. */
export interface Delivery {
  partner: number;
  type: string;
  resource: string;
  subject: string;
  createdAt: number;
  status: 'pending' | 'delivered' | 'failed';
  attempts: { at: number; ok: boolean }[];
  next: number | null;
  manual: boolean;
}

/** A world in the model: plain data, so that a copy is a checkpoint. Sums are computed when needed. */
export interface State {
  /** What the sandbox assumes. It never changes. */
  assumed: Assumed;
  now: number;
  people: Person[];
  cards: Card[];
  payments: Payment[];
  usedTokens: string[];
  toppedUp: number[];
  usage: number[];
  keys: { key: string; partner: number; until: number | null }[];
  webhooks: { hasUrl: boolean; types: string[] }[];
  deliveries: Delivery[];
}

const HOUR = 3_600_000;

/** The partners of the fixture: opening balance and thresholds in hundredths, a card program and its authorizationTtl. */
export const PARTNERS = [
  {
    id: 'partner_acme',
    opening: 100_000,
    alert: 30_000,
    low: 10_000,
    program: 'prog_eur',
    // That of the setting.
    ttl: null,
  },
  { id: 'partner_globex', opening: 50_000, alert: 0, low: 0, program: 'prog_globex', ttl: 12 * HOUR },
] as const;

/** Card limits in hundredths, in the order in which they are checked. */
export const LIMITS = {
  small: {
    limit: 11_000,
    sale: [4_000, 6_000, 8_000, 10_000],
    cash: [2_000, 2_000, 3_000, 5_000],
  },
  large: { limit: 1e8, sale: [1e8, 1e8, 1e8, 1e8], cash: [1e8, 1e8, 1e8, 1e8] },
} as const;

const FOREVER = '9999-12';

/** A cardholder that was just created. */
export function newPerson(
  members: Pick<Person, 'id' | 'partner' | 'user' | 'email' | 'source' | 'outcome'>,
): Person {
  return { ...members, status: 'active', kycStatus: 'pending', lock: null, inFlight: false, due: null };
}

/** A card that was just issued. */
export function newCard(members: Pick<Card, 'id' | 'partner' | 'holder'>, smallLimits: boolean): Card {
  return { ...members, status: 'created', lastMonth: FOREVER, ...LIMITS[smallLimits ? 'small' : 'large'] };
}

/** The world of the fixture, with both partners subscribed to all events. */
export function openingState(assumed: Assumed = USUAL): State {
  const approved = (id: string, partner: number): Person => ({
    ...newPerson({ id, partner, user: 3, email: 'person_3@example.com', source: 'idp1', outcome: 'approve' }),
    kycStatus: 'approved',
    lock: 'card_issued',
  });
  const card = (id: string, status: CardStatus, small = false): Card => ({
    ...newCard({ id, partner: 0, holder: 'ch_mia' }, small),
    status,
  });
  return {
    assumed,
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
    webhooks: PARTNERS.map(() => ({ hasUrl: true, types: [...ALL_TYPES] })),
    deliveries: [],
  };
}
