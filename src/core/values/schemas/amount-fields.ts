import * as z from 'zod';
import { amountSchema, minorForm } from '../money.ts';
import { type Conversion, conversion } from './conversion.ts';

/** An amount in a response or an event, in units of its currency. */
export const AmountValue = amountSchema(
  z.number(),
  // Checking that a number is whole would cost time at each response.
  z.number().meta({ type: 'integer', description: 'In hundredths of the unit of the currency.' }),
);

const toHundredths: Conversion = value => (typeof value === 'number' ? Math.round(value * 100) : value);

/** Returns the conversion of an amount into hundredths; null for a schema of anything else. */
export function amountConversion(schema: z.ZodType): Conversion | null {
  return minorForm(schema) === undefined ? null : toHundredths;
}

const conversions = new WeakMap<z.ZodType, Conversion>();

/** Returns a copy of a value with its amounts in hundredths, by its schema. */
export function inHundredths(schema: z.ZodType, value: unknown): unknown {
  let convert = conversions.get(schema);
  if (convert === undefined) {
    convert = conversion(schema, amountConversion) ?? (each => each);
    conversions.set(schema, convert);
  }
  return value === undefined ? value : convert(JSON.parse(JSON.stringify(value)));
}
