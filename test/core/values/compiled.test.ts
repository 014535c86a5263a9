import { expect, test } from 'vitest';
import * as z from 'zod';
import { compiled } from '../../../src/core/values/schemas/compiled.ts';

const Fuel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('electric'), kilowattHours: z.int().min(1).default(1) }),
  z.strictObject({
    kind: z.literal('diesel'),
    litres: z.string().transform(Number),
    note: z.string().optional(),
  }),
]);
const VALUES = [
  { kind: 'electric' },
  { kind: 'electric', kilowattHours: 5, colour: 'green' },
  { kind: 'electric', kilowattHours: 0 },
  { kind: 'diesel', litres: '40', note: undefined },
  { kind: 'diesel', litres: 40 },
  { kind: 'diesel', litres: '40', colour: 'black' },
  { kind: 'petrol' },
  { __proto__: { kind: 'electric' } },
  null,
];

test('a schema that is used often is compiled, and then accepts and refuses the same values with the same results', () => {
  const results = (schema: z.ZodType) =>
    VALUES.map(value => {
      const { success, data, error } = schema.safeParse(value);
      return { success, data, issues: error?.issues };
    });
  const before = results(compiled(Fuel));
  for (let use = 0; use < 1_000; use++) compiled(Fuel);
  expect(compiled(Fuel)).not.toBe(Fuel);
  expect(results(compiled(Fuel))).toEqual(before);
});

test('a schema that is used rarely stays as it is', () => {
  for (let use = 0; use < 100; use++) expect(compiled(VALUES_SCHEMA)).toBe(VALUES_SCHEMA);
});

const VALUES_SCHEMA = z.object({ name: z.string() });
