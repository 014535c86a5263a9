import fc from 'fast-check';
import { ALL_TYPES } from '../../support/receiver.ts';
import type { CardStatus, Source } from './state.ts';

/** Something that somebody does. Partners, people, cards and payments are told apart by number. */
export type Action =
  | {
      kind: 'create';
      partner: number;
      who: number;
      email: number;
      capitals: boolean;
      source: Source;
      token: string;
      valid: boolean;
    }
  | { kind: 'submit'; partner: number; who: number; known: boolean }
  | { kind: 'issue'; partner: number; who: number; known: boolean; small: boolean }
  | { kind: 'decide'; person: number; verb: 'approve' | 'reject' }
  | { kind: 'status'; person: number; status: 'active' | 'suspended' | 'closed' }
  | { kind: 'card'; partner: number; card: number; move: keyof typeof MOVES }
  | { kind: 'pay'; card: number; amount: number; type: 'sale' | 'cash'; forced: boolean }
  | { kind: 'settle'; payment: number; percent: number }
  | { kind: 'reverse'; payment: number }
  | { kind: 'topUp'; partner: number; amount: number }
  | { kind: 'advance'; ms: number }
  | { kind: 'reset' }
  | { kind: 'checkpoint' | 'restore' | 'export' | 'import'; slot: number }
  | { kind: 'rotate'; partner: number; hours: number }
  | { kind: 'call'; key: number }
  | { kind: 'hooks'; partner: number; hasUrl: boolean; types: string[] }
  | { kind: 'retry'; partner: number; delivery: number };

/** The moves of a card: from which states to which. */
export const MOVES = {
  activate: { from: ['created'], to: 'active' },
  freeze: { from: ['active'], to: 'frozen' },
  unfreeze: { from: ['frozen'], to: 'active' },
  cancel: { from: ['created', 'active', 'frozen'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly CardStatus[]; to: CardStatus }>;

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const mostly = fc.nat(9).map(number => number > 0);
const often = fc.nat(3).map(number => number > 0);
const partner = fc.nat(3).map(number => (number === 0 ? 1 : 0));
const who = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);
const source = fc.constantFrom('idp1' as const, 'idp1' as const, 'idp1' as const, 'idp2' as const);
const outcome = fc.constantFrom('approve', 'approve', 'reject', 'manual');
/** Few enough to be used again, and mostly of the source that they are handed in as. */
const sourced = fc.tuple(source, fc.nat(9), outcome, fc.nat(1)).map(([own, odd, decided, number]) => ({
  source: own,
  token: `${odd === 0 ? 'idp2' : own}_test_${decided}_${number}`,
}));
const place = fc.nat(19);
const slot = fc.nat(1);
/** Near the limits of the small card, whose windows are full after two or three of them; and beyond the balance. */
const amount = fc.oneof(
  fc.integer({ min: 1, max: 2_500 }),
  fc.constantFrom(1, 1_000, 2_000, 2_001, 3_000, 4_000, 4_001),
  fc.constantFrom(20_000, 35_000, 60_000),
  fc.integer({ min: 1, max: 60_000 }),
);
const types = fc.oneof(
  { weight: 3, arbitrary: fc.constant([...ALL_TYPES]) },
  { weight: 1, arbitrary: fc.subarray([...ALL_TYPES]) },
);

function of<const K extends Action['kind'], M extends object>(
  kind: K,
  members: { [N in keyof M]: fc.Arbitrary<M[N]> },
) {
  return fc.record({ kind: fc.constant(kind), ...members });
}

const weighted: readonly [number, fc.Arbitrary<unknown>][] = [
  [
    16,
    fc
      .tuple(of('create', { partner, who, capitals: fc.boolean(), valid: mostly }), fc.nat(11), sourced)
      .map(([person, email, snapshot]) => ({
        ...person,
        email: email < 4 ? email : person.who,
        ...snapshot,
      })),
  ],
  [6, of('submit', { partner, who, known: mostly })],
  [5, of('decide', { person: place, verb: fc.constantFrom('approve', 'approve', 'reject') })],
  [3, of('status', { person: place, status: fc.constantFrom('active', 'active', 'suspended', 'closed') })],
  [6, of('issue', { partner, who, known: mostly, small: fc.boolean() })],
  [
    8,
    of('card', {
      partner,
      card: place,
      move: fc.constantFrom('activate', 'activate', 'freeze', 'unfreeze', 'cancel'),
    }),
  ],
  [
    22,
    of('pay', {
      card: fc.oneof(fc.constantFrom(0, 1, 1, 6), place),
      amount,
      type: fc.constantFrom('sale', 'sale', 'cash'),
      forced: fc.nat(15).map(number => number === 0),
    }),
  ],
  [9, of('settle', { payment: place, percent: fc.oneof(fc.constant(100), fc.nat(110)) })],
  [6, of('reverse', { payment: place })],
  [4, of('topUp', { partner, amount })],
  [
    12,
    of('advance', {
      ms: fc.constantFrom(
        0,
        500,
        SECOND,
        2 * SECOND,
        5 * SECOND,
        36 * SECOND,
        HOUR / 2,
        9 * HOUR,
        24 * HOUR,
        17 * 24 * HOUR,
      ),
    }),
  ],
  [1, of('reset', {})],
  [3, of('checkpoint', { slot })],
  [2, of('restore', { slot })],
  [3, of('export', { slot })],
  [2, of('import', { slot })],
  [3, of('rotate', { partner, hours: fc.constantFrom(0, 1, 24) })],
  [4, of('call', { key: fc.nat(4) })],
  [3, of('hooks', { partner, hasUrl: often, types })],
  [3, of('retry', { partner, delivery: fc.nat(60) })],
];

/** Anything that somebody may do. */
export const action = fc.oneof(
  ...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  // The table above makes exactly the members of Action, which its type has forgotten.
) as fc.Arbitrary<Action>;

/** A whole story: what is done, and how often the receivers of webhooks fail, in percent. */
export const story = fc.record({
  actions: fc.array(action, { maxLength: 48, size: 'max' }),
  failing: fc.constantFrom(0, 30, 60, 90, 100),
});
