import fc from 'fast-check';
import { type Call, REQUESTS } from './requests.ts';

/** What a webhook receiver does before it responds. */
export type Receiving =
  | { readonly kind: 'respond'; readonly status: number }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Never responds. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'call'; readonly call: Call };

/** Requests that are sent at once to a world, by its number. */
export interface Step {
  readonly world: number;
  readonly calls: readonly Call[];
}

/** The options of a world, beside those that all have. */
export interface WorldOptions {
  readonly freeze?: boolean;
  readonly clock?: string;
  readonly seed?: number;
  readonly retrySpeed?: number;
  readonly kycDelay?: string;
  readonly idLength?: number;
}

/** What happens in a server and its worlds. */
export interface Sequence {
  readonly overHttp: boolean;
  readonly main: WorldOptions;
  readonly names: boolean;
  /** Settings of the register that are not the usual ones. */
  readonly assume: Readonly<Record<string, string | boolean>>;
  readonly fixtureInCode: boolean;
  /** The worlds beside `main`: with options, as a copy or from a document of `main`. */
  readonly worlds: readonly {
    readonly origin: 'fixtures' | 'copy' | 'document';
    readonly options: WorldOptions;
  }[];
  readonly steps: readonly Step[];
  readonly receivers: readonly Receiving[];
  /** Shares of the entries at which a part of the history begins and ends. */
  readonly window: readonly [number, number];
}

const call: fc.Arbitrary<Call> = fc
  .oneof(...Object.entries(REQUESTS).map(([kind, [weight]]) => ({ weight, arbitrary: fc.constant(kind) })))
  .chain(kind => fc.record({ kind: fc.constant(kind), a: fc.nat(31), b: fc.nat(31) }));

const worldOptions: fc.Arbitrary<WorldOptions> = fc.record(
  {
    freeze: fc.boolean(),
    seed: fc.nat(3),
    retrySpeed: fc.constantFrom(1, 60, 20_000),
    kycDelay: fc.constantFrom('1ms', '5ms', '2s'),
    idLength: fc.constantFrom(24, 40),
    clock: fc.constantFrom('2026-03-15T09:59:00Z', '2026-12-31T23:59:59.990Z'),
  },
  { requiredKeys: [] },
);

const receiving: fc.Arbitrary<Receiving> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('respond' as const),
      status: fc.constantFrom(200, 204, 500, 302),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'hang' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('call' as const), call }) },
);

const assume = fc.record(
  {
    'webhook-timeout': fc.constantFrom('20ms', '60ms'),
    'amount-unit': fc.constantFrom('minor'),
    'webhook-envelope': fc.constantFrom('data'),
    'card-initial-status': fc.constantFrom('active'),
    'event-history': fc.constantFrom('twelve'),
    'signature-timestamp': fc.constantFrom('milliseconds'),
  },
  { requiredKeys: ['webhook-timeout'] },
);

/** Any sequence of requests to `main` and other worlds. */
export const anySequence: fc.Arbitrary<Sequence> = fc.record({
  overHttp: fc.boolean(),
  main: worldOptions,
  names: fc.boolean(),
  assume,
  fixtureInCode: fc.boolean(),
  worlds: fc.array(
    fc.record({ origin: fc.constantFrom('fixtures', 'copy', 'document'), options: worldOptions }),
    { maxLength: 2 },
  ),
  steps: fc.array(
    fc.record({
      world: fc.nat(3),
      calls: fc.oneof(
        { weight: 8, arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(call, { minLength: 2, maxLength: 4 }) },
      ),
    }),
    { maxLength: 60, size: 'max' },
  ),
  receivers: fc.array(receiving, { minLength: 1, maxLength: 8 }),
  window: fc.tuple(fc.nat(99), fc.nat(99)),
});

/** A short sequence in process. */
export const shortSequence: fc.Arbitrary<Sequence> = anySequence.map(({ steps, worlds, ...sequence }) => ({
  ...sequence,
  overHttp: false,
  fixtureInCode: false,
  worlds: worlds.slice(0, 1),
  steps: steps.slice(0, 15),
}));
