import fc from 'fast-check';
import { ALL_TYPES } from '../../support/receiver.ts';
import type { CardStatus, Source } from './state.ts';

/** One action of a partner or of the control plane. Partners, people, cards and payments are numbered. */
export type Action =
  | {
      kind: 'create';
      partner: number;
      user: number;
      email: number;
      upperCase: boolean;
      source: Source;
      token: string;
      validPhone: boolean;
    }
  | { kind: 'submit'; partner: number; user: number; validProgram: boolean }
  | { kind: 'issue'; partner: number; user: number; validProgram: boolean; smallLimits: boolean }
  | { kind: 'decide'; person: number; verb: 'approve' | 'reject' }
  | { kind: 'status'; person: number; status: 'active' | 'suspended' | 'closed' }
  | { kind: 'card'; partner: number; card: number; move: keyof typeof CARD_MOVES }
  | { kind: 'pay'; card: number; amount: number; type: 'sale' | 'cash'; forced: boolean }
  | { kind: 'increment'; payment: number; amount: number }
  | { kind: 'settle'; payment: number; percent: number; force: boolean }
  | { kind: 'reverse'; payment: number; percent: number }
  | { kind: 'topUp'; partner: number; amount: number }
  | { kind: 'advance'; ms: number }
  | { kind: 'reset' }
  | { kind: 'checkpoint' | 'restore' | 'export' | 'import' | 'mark' | 'rewind'; slot: number }
  | { kind: 'rotate'; partner: number; hours: number }
  | { kind: 'call'; key: number }
  | { kind: 'webhooks'; partner: number; hasUrl: boolean; types: string[] }
  | { kind: 'retry'; partner: number; delivery: number };

/** The transitions of a card. */
export const CARD_MOVES = {
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
const user = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);
const source = fc.constantFrom('idp1' as const, 'idp1' as const, 'idp1' as const, 'idp2' as const);
const outcome = fc.constantFrom('approve', 'approve', 'reject', 'manual');
/** Few enough tokens to be reused, mostly of the source that they are submitted with. */
const sourceAndToken = fc
  .tuple(source, fc.nat(9), outcome, fc.nat(1))
  .map(([own, mismatch, decision, number]) => ({
    source: own,
    token: `${mismatch === 0 ? 'idp2' : own}_test_${decision}_${number}`,
  }));
const index = fc.nat(19);
const slot = fc.nat(1);
/** Near the limits of the small card, which are reached after two or three payments, and beyond the balance. */
const amount = fc.oneof(
  fc.integer({ min: 1, max: 2_500 }),
  fc.constantFrom(1, 1_000, 2_000, 2_001, 3_000, 4_000, 4_001),
  fc.constantFrom(20_000, 35_000, 60_000),
  fc.integer({ min: 1, max: 60_000 }),
);
/** A share of a payment: all, a part, or too much. */
const percent = fc.oneof(fc.constant(100), fc.nat(130));
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
      .tuple(
        of('create', { partner, user, upperCase: fc.boolean(), validPhone: mostly }),
        fc.nat(11),
        sourceAndToken,
      )
      .map(([person, email, token]) => ({
        ...person,
        email: email < 4 ? email : person.user,
        ...token,
      })),
  ],
  [6, of('submit', { partner, user, validProgram: mostly })],
  [5, of('decide', { person: index, verb: fc.constantFrom('approve', 'approve', 'reject') })],
  [3, of('status', { person: index, status: fc.constantFrom('active', 'active', 'suspended', 'closed') })],
  [6, of('issue', { partner, user, validProgram: mostly, smallLimits: fc.boolean() })],
  [
    8,
    of('card', {
      partner,
      card: index,
      move: fc.constantFrom('activate', 'activate', 'freeze', 'unfreeze', 'cancel'),
    }),
  ],
  [
    22,
    of('pay', {
      card: fc.oneof(fc.constantFrom(0, 1, 1, 6), index),
      amount,
      type: fc.constantFrom('sale', 'sale', 'cash'),
      forced: fc.nat(15).map(number => number === 0),
    }),
  ],
  [7, of('increment', { payment: index, amount })],
  [9, of('settle', { payment: index, percent, force: fc.nat(3).map(number => number === 0) })],
  [8, of('reverse', { payment: index, percent })],
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
  [3, of('webhooks', { partner, hasUrl: often, types })],
  [3, of('retry', { partner, delivery: fc.nat(60) })],
];

/** Any action, weighted by how much it is worth testing. */
export const anyAction = fc.oneof(
  ...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  // The table above generates exactly the members of Action, but its type is `unknown`.
) as fc.Arbitrary<Action>;

/** A sequence of actions, and how often webhook receivers fail, in percent. */
export interface ActionSequence {
  readonly actions: readonly Action[];
  readonly failurePercent: number;
}

/** Any sequence of actions that also marks places in the history and goes back to them. */
export const anySequenceWithRewinds = fc.record({
  actions: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: anyAction },
      { weight: 1, arbitrary: of('mark', { slot }) },
      { weight: 1, arbitrary: of('rewind', { slot }) },
      // Generates exactly members of Action, as `anyAction` does.
    ) as fc.Arbitrary<Action>,
    { maxLength: 48, size: 'max' },
  ),
  failurePercent: fc.constantFrom(0, 30, 60, 90, 100),
});

/** Amounts of which it takes a few to reach the limits of the small card. */
const part = fc.integer({ min: 1, max: 1_500 });
const MONEY: readonly string[] = ['card', 'pay', 'increment', 'settle', 'reverse', 'topUp', 'advance'];
const smallPayment = of('pay', {
  card: fc.constant(0),
  amount: part,
  type: fc.constantFrom('sale', 'cash'),
  forced: fc.constant(false),
});
const nextDays = of('advance', { ms: fc.constantFrom(24 * HOUR, 6 * 24 * HOUR) });

/** Any sequence of actions that move money, or decide whether it moves, most of them with the card of small limits. */
export const anyMoneySequence = fc.record({
  actions: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: smallPayment },
      { weight: 3, arbitrary: of('increment', { payment: index, amount: part }) },
      { weight: 1, arbitrary: nextDays },
      { weight: 3, arbitrary: anyAction.filter(({ kind }) => MONEY.includes(kind)) },
      // Generates exactly members of Action, as `anyAction` does.
    ) as fc.Arbitrary<Action>,
    { maxLength: 40, size: 'max' },
  ),
  failurePercent: fc.constant(0),
});

/** Any sequence of actions. */
export const anySequence = fc.record({
  actions: fc.array(anyAction, { maxLength: 48, size: 'max' }),
  failurePercent: fc.constantFrom(0, 30, 60, 90, 100),
});
