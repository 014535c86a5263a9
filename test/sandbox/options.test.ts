import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import { DEFAULT_FIXTURE } from '../../src/sandbox/fixtures/file/source.ts';
import { OPTION_FLAGS } from '../../src/sandbox/options/flags.ts';
import { optionSchemas } from '../../src/sandbox/options/schema.ts';
import { type CoreOptions, OptionError, resolveOptions } from '../../src/sandbox/options.ts';

test('the interface of options has the options of the schemas, with the same types', () => {
  type Inputs = {
    readonly [Name in keyof typeof optionSchemas]?:
      | z.input<ReturnType<(typeof optionSchemas)[Name]>>
      | undefined;
  };
  expectTypeOf<Inputs>().toEqualTypeOf<CoreOptions>();
});

test('every option with a schema has a flag', () => {
  expect(Object.keys(OPTION_FLAGS).sort()).toEqual(Object.keys(optionSchemas).sort());
});

test('the defaults that flags show are those of the sandbox', () => {
  const options = resolveOptions({});
  expect(options).toMatchObject({ fixtures: [DEFAULT_FIXTURE], freeze: false, map: [], names: {} });
  for (const name of ['seed', 'kycDelay', 'rateLimit', 'egress'] as const) {
    expect(OPTION_FLAGS[name].defaultText).toBe(String(options[name]));
  }
  const frozen = resolveOptions({ freeze: true });
  expect(OPTION_FLAGS.retrySpeed.defaultText).toBe(
    `${options.retrySpeed}; with --freeze ${frozen.retrySpeed}`,
  );
  expect(OPTION_FLAGS.fixtures.defaultText).toBe(DEFAULT_FIXTURE);
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
