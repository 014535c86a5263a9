import * as z from 'zod';
import { mapSchema } from './map-schema.ts';
import { amountSchema, minorForm } from './money.ts';

/** An amount in a response or an event, in units of its currency. */
export const AmountValue = amountSchema(z.number(), {
  shown: z.int().describe('In hundredths of the unit of the currency.'),
  converting: z.number().transform(amount => Math.round(amount * 100)),
});

const schemas = new WeakMap<z.ZodType, z.ZodType>();

/** Returns a value with its amounts in hundredths, by its schema. */
export function inHundredths<T>(schema: z.ZodType, value: T): T {
  let converting = schemas.get(schema);
  if (converting === undefined) {
    converting = mapSchema(schema, part => minorForm(part)?.converting ?? null);
    schemas.set(schema, converting);
  }
  if (converting === schema) return value;
  const result = converting.safeParse(value);
  // Only numbers change, so the type stays. What has another form than its schema has no amounts to convert.
  return result.success ? (result.data as T) : value;
}
