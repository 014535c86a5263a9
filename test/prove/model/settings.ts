import fc from 'fast-check';
import { OTHER_SETTINGS } from '../../support/fixtures/other-settings.ts';

const HOUR = 3_600_000;

/** What the model assumes for each setting. Durations are in milliseconds, as the model counts. */
export const USUAL = {
  'card-status-parameter': 'status',
  'usage-from-parameter': 'from',
  'usage-to-parameter': 'to',
  'usage-period-parameter': 'billingPeriod',
  'usage-type-parameter': 'type',
  'invalid-input-status': 400,
  'allow-list-status': 401,
  'copy-pan-default': false,
  'stylesheet-url': 'optional',
  'card-initial-status': 'created',
  'kyc-after-rejection': 'allowed',
  'list-order': 'newest',
  'webhook-timeout': 10_000,
  'webhook-envelope': 'envelope',
  'event-history': 'nine',
  'email-comparison': 'insensitive',
  'amount-unit': 'major',
  'patch-config': 'merge',
  'unset-config': 'null',
  'signature-timestamp': 'seconds',
  'magic-tokens': 'on',
  'authorization-ttl': (7 * 24 * HOUR) as number | 'never',
};

/** A value for each setting. */
export type Assumed = typeof USUAL;

/** For each setting a value that is not the usual one. */
export const OTHER: Assumed = {
  ...OTHER_SETTINGS,
  'webhook-timeout': 30_000,
  'authorization-ttl': 2 * HOUR,
};

/** The names of the settings. */
// Object.keys does not know the keys of an object literal.
export const SETTINGS = Object.keys(USUAL) as (keyof Assumed)[];

/** Without magic tokens nobody can be created, so that they are mostly on. */
const randomSettings: fc.Arbitrary<Assumed> = fc
  .record(
    Object.fromEntries(
      SETTINGS.map(name => [
        name,
        name === 'magic-tokens' ? fc.nat(15).map(each => each === 0) : fc.boolean(),
      ]),
    ),
  )
  .chain(isOther =>
    fc.constantFrom(2 * HOUR, 'never' as const).map(ttl => {
      const other = { ...OTHER, 'authorization-ttl': ttl };
      const entries = SETTINGS.map(name => [name, isOther[name] ? other[name] : USUAL[name]]);
      // Each setting has one of its values.
      return Object.fromEntries(entries) as Assumed;
    }),
  );

/** Any of some random settings. A sandbox takes longer to start with settings that it does not know yet. */
export function anySettings(count: number): fc.Arbitrary<Assumed> {
  return fc.constantFrom(USUAL, ...fc.sample(randomSettings, { numRuns: count, seed: 20 }));
}

/** Returns settings as the options of a sandbox have them. */
export function toOption(assumed: Assumed): Record<string, string | number | boolean> {
  const ttl = assumed['authorization-ttl'];
  return {
    ...assumed,
    'webhook-timeout': `${assumed['webhook-timeout']}ms`,
    'authorization-ttl': ttl === 'never' ? ttl : `${ttl}ms`,
  };
}

/** Returns an amount of the API in hundredths. */
export function hundredthsIn(assumed: Assumed, amount: number): number {
  return assumed['amount-unit'] === 'minor' ? amount : Math.round(amount * 100);
}

/** Returns an amount in hundredths as the API takes it. */
export function amountFor(assumed: Assumed, hundredths: number): number {
  return assumed['amount-unit'] === 'minor' ? hundredths : hundredths / 100;
}
