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

test('an unknown member of an option is refused with the name of the option', () => {
  const misspelt = { names: { servce: 'acme' } } as CoreOptions;
  expect(() => resolveOptions(misspelt)).toThrow(new OptionError('names', 'has unknown members: servce'));
});

test.each([
  [{ forwardTo: 'ftp://hooks.test' }, 'forwardTo: must be an absolute http:// or https:// URL'],
  [
    { map: ['https://hooks.test'] },
    'map: must be FROM=TO, two http:// or https:// URLs without user name, query or fragment, such as https://hooks.partner.test=http://127.0.0.1:3000',
  ],
  [
    { publicUrl: 'https://sandbox.test/path' },
    'publicUrl: must be an http:// or https:// URL without path, query, fragment and user name, such as https://sandbox.corp.example',
  ],
  [{ kycDelay: 'soon' }, 'kycDelay: must be a duration such as 500ms, 90s, 30m, 2h or 1d, at most 100 years'],
  [{ kycDelay: 200 }, 'kycDelay: must be a duration such as 500ms, 90s, 30m, 2h or 1d, at most 100 years'],
  [{ worldTtl: 0 }, 'worldTtl: must be a duration such as 30m or 1h, at most 100 years, or "0" for never'],
  [{ retrySpeed: 0 }, 'retrySpeed: must be from 0.001 to 1000000'],
  [{ maxWorlds: -1 }, 'maxWorlds: must be at least 0'],
  [
    { clock: 'noon' },
    'clock: must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z; without a zone it is UTC',
  ],
  [
    { names: { idp1: 'A b' } },
    'names: must be valid in a field name: letters and digits, starting with a letter (the name of idp1)',
  ],
  [
    { assume: { 'list-order': 'random' } },
    'assume: sets list-order to "random", but it must be one of newest, oldest',
  ],
])('%j is refused in words', (options, message) => {
  // Options come from flags and files too, which may hold any text.
  expect(() => resolveOptions(options as CoreOptions)).toThrow(
    expect.objectContaining({ name: 'OptionError', message }),
  );
});

test.each([
  ['https://Sandbox.Test/', 'https://sandbox.test'],
  ['http://sandbox.test:8080', 'http://sandbox.test:8080'],
  ['https://sandbox.test:443', 'https://sandbox.test'],
])('the public address %s is the origin %s', (publicUrl, origin) => {
  expect(resolveOptions({ publicUrl }).publicUrl).toBe(origin);
});
