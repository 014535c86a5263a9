import * as z from 'zod';
import { isObject } from '../../core/request/input.ts';
import { minorForm } from '../../core/values/money.ts';
import { amountConversion, inHundredths } from '../../core/values/schemas/amount-fields.ts';
import { type Conversion, conversion } from '../../core/values/schemas/conversion.ts';
import { copyDescription, mapSchema, replaceParts } from '../../core/values/schemas/map-schema.ts';
import type { AssumptionValues } from '../../core/values/setting.ts';
import { EVENT_TYPES } from '../webhooks/event-types.ts';

/** Returns the schema of a body as callers send it under settings. It parses into what the operation expects. */
export function bodyOnWire(body: z.ZodType, values: AssumptionValues): z.ZodType {
  return mapSchema(body, schema => {
    const setting = schema.meta()?.['x-assumption'];
    if (setting === 'copy-pan-default') return replaceParts(schema, { defaultValue: values[setting] });
    if (setting === 'stylesheet-url' && values[setting] === 'required' && schema instanceof z.ZodOptional) {
      return copyDescription(innerOf(schema), schema);
    }
    if (schema.meta()?.['x-setting'] === 'magic-tokens' && values['magic-tokens'] === 'off')
      return schema.describe('An issued token. Single-use.');
    return minorOnWire(schema, values);
  });
}

/** Returns the schema of a response or an event as callers see it under settings. */
export function contentOnWire(content: z.ZodType, values: AssumptionValues): z.ZodType {
  return mapSchema(content, schema => {
    const setting = schema.meta()?.['x-setting'];
    if (setting === 'event-history' && values[setting] === 'twelve') {
      return copyDescription(z.enum(EVENT_TYPES), schema);
    }
    if (isUnset(schema, values)) {
      const { description = '', ...meta } = schema.meta() ?? {};
      return innerOf(schema)
        .optional()
        .meta({ ...meta, description: description.replace('Null until', 'Left out until') });
    }
    return minorOnWire(schema, values);
  });
}

/** Tokens of the fixture `starter`, for examples under a setting with which no text is a token by itself. */
const ISSUED_TOKENS = { idp1ShareToken: 'tok_ana_approve', idp2ShareToken: 'tok_dana_idp2' };

/** Returns what makes an example for the default settings one for these, by its schema. */
export function examplesOnWire(values: AssumptionValues): (schema: z.ZodType, value: unknown) => unknown {
  return (schema, example) => {
    const value = values['amount-unit'] === 'minor' ? inHundredths(schema, example) : example;
    if (values['magic-tokens'] === 'on' || !isObject(value)) return value;
    const issued = Object.entries(ISSUED_TOKENS).filter(([name]) => Object.hasOwn(value, name));
    return { ...value, ...Object.fromEntries(issued) };
  };
}

/** Returns what brings the body of a response into the form that callers see under settings; null for no change. */
export function conversionOf(response: z.ZodType, values: AssumptionValues): Conversion | null {
  const isMinor = values['amount-unit'] === 'minor';
  return conversion(response, schema => {
    if (isUnset(schema, values)) return value => value ?? undefined;
    return isMinor ? amountConversion(schema) : null;
  });
}

function minorOnWire(schema: z.ZodType, values: AssumptionValues): z.ZodType | null {
  const form = values['amount-unit'] === 'minor' ? minorForm(schema) : undefined;
  if (form === undefined) return null;
  const texts = [schema.meta()?.description, form.meta()?.description].filter(text => text !== undefined);
  return texts.length === 0 ? form : form.describe(texts.join(' '));
}

function isUnset(schema: z.ZodType, values: AssumptionValues): schema is z.ZodNullable {
  const setting = schema.meta()?.['x-setting'];
  return setting === 'unset-config' && values[setting] === 'omitted' && schema instanceof z.ZodNullable;
}

function innerOf(schema: z.ZodOptional | z.ZodNullable): z.ZodType {
  // What a schema wraps is a schema; the types of zod name its wider base class.
  return schema.unwrap() as z.ZodType;
}
