import { expect, expectTypeOf, test } from 'vitest';
import { optionFlag } from '../../src/cli/sandbox/sandbox-flags.ts';
import {
  type CoreOptions,
  OptionError,
  type ResolvedOptions,
  resolveOptions,
} from '../../src/sandbox/options.ts';

test('options are optional, and those with a default are set once it is filled in', () => {
  expectTypeOf<CoreOptions['seed']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<CoreOptions['egress']>().toEqualTypeOf<'private' | 'any' | undefined>();
  expectTypeOf<ResolvedOptions['seed']>().toEqualTypeOf<number>();
  expectTypeOf<ResolvedOptions['clock']>().toEqualTypeOf<string | undefined>();
});

test('the defaults that flags show are those of the sandbox', () => {
  const options = resolveOptions({});
  expect(options).toEqual({
    fixtures: ['starter'],
    seed: 42,
    freeze: false,
    kycDelay: '2s',
    rateLimit: 1_000,
    allowHttpWebhooks: false,
    retrySpeed: 60,
    map: [],
    egress: 'private',
    insecureWebhookTls: false,
    documentedOnly: false,
    maxWorlds: 1_000,
    worldTtl: '1h',
    names: {},
    assume: {},
  });
  for (const name of ['fixtures', 'seed', 'kycDelay', 'rateLimit', 'maxWorlds', 'worldTtl'] as const) {
    expect(optionFlag(name).description).toContain(` (default: ${options[name]})`);
  }
  expect(optionFlag('egress').defaultValue).toBe(options.egress);
  const frozen = resolveOptions({ freeze: true });
  expect(optionFlag('retrySpeed').description).toContain(
    ` (default: ${options.retrySpeed}; with --freeze ${frozen.retrySpeed})`,
  );
});

test('an unknown option is refused with the nearest known one', () => {
  const misspelt = { kycdelay: '2s' } as CoreOptions;
  expect(() => resolveOptions(misspelt)).toThrow(
    new OptionError('kycdelay', 'is unknown, did you mean "kycDelay"?'),
  );
});

test('an unknown member of an option is refused with the name of the option', () => {
  const misspelt = { names: { servce: 'acme' } } as CoreOptions;
  expect(() => resolveOptions(misspelt)).toThrow(new OptionError('names', 'has unknown members: servce'));
});
