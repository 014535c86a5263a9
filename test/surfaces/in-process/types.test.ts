import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type { FixtureFile } from '../../../src/fixtures/file/schema.ts';
import type * as sandbox from '../../../src/index.ts';
import { operations } from '../../../src/sandbox/operations.ts';

/** A type without `readonly` at any depth, as schemas infer it. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

/** An entry of a fixture file. */
type Entry<K extends keyof z.input<typeof FixtureFile>> = NonNullable<z.input<typeof FixtureFile>[K]>[number];

test('fixtures in code take the same members as fixture files, with optional ids', () => {
  type WithoutId<T> = Omit<T, 'id'>;
  expectTypeOf<Writable<sandbox.PartnerInput>>().toEqualTypeOf<Entry<'partners'>>();
  expectTypeOf<Writable<sandbox.ShareTokenInput>>().toExtend<Entry<'shareTokens'>>();
  expectTypeOf<keyof sandbox.ShareTokenInput>().toEqualTypeOf<keyof Entry<'shareTokens'>>();
  expectTypeOf<Writable<sandbox.CardholderInput>>().toExtend<Entry<'cardholders'>>();
  expectTypeOf<keyof sandbox.CardholderInput>().toEqualTypeOf<keyof Entry<'cardholders'>>();
  expectTypeOf<Writable<sandbox.UsageInput>>().toEqualTypeOf<Entry<'usage'>>();
  expectTypeOf<Writable<sandbox.CardInput>>().toExtend<Entry<'cards'>>();
  expectTypeOf<keyof sandbox.CardInput>().toEqualTypeOf<keyof Entry<'cards'>>();
  expectTypeOf<WithoutId<Writable<sandbox.ProgramInput>>>().toExtend<WithoutId<Entry<'cardPrograms'>>>();
  expectTypeOf<keyof sandbox.ProgramInput>().toEqualTypeOf<keyof Entry<'cardPrograms'>>();
  expectTypeOf<WithoutId<Writable<sandbox.KycSessionInput>>>().toExtend<WithoutId<Entry<'kycSessions'>>>();
  expectTypeOf<keyof sandbox.KycSessionInput>().toEqualTypeOf<keyof Entry<'kycSessions'>>();
});

test('the types of the handle are exact', () => {
  expectTypeOf<ReturnType<typeof sandbox.createSandbox>>().toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<ReturnType<typeof sandbox.startServer>>().resolves.toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<sandbox.Sandbox>().toExtend<AsyncDisposable>();
  expectTypeOf<sandbox.Sandbox['fetch']>().toExtend<typeof fetch>();
  expectTypeOf<sandbox.Sandbox['clock']['advance']>().parameters.toEqualTypeOf<[by: string | number]>();
});

test('requests are filtered by the parameters of the operation', () => {
  const filter: Required<sandbox.RequestFilter> = { path: '', method: '', status: 0 };
  const list = operations.find(({ id }) => id === 'requests.list');
  const { properties } = z.toJSONSchema(list?.query ?? z.object({}), { io: 'input' });
  expect(Object.keys({ ...filter, limit: 0 })).toEqual(Object.keys(properties ?? {}));
});
