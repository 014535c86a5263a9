import * as z from 'zod';
import type { AssumptionValues } from '../../kernel/operation/errors.ts';
import { EVENT_TYPES } from '../../resources/webhooks/event-types.ts';
import { inHundredths } from '../../values/amount-fields.ts';
import { changed, described, mapSchema } from '../../values/map-schema.ts';
import { minorForm } from '../../values/money.ts';

/** Returns the schema of a body as callers send it under settings. It parses into what the operation expects. */
export function bodyOnWire(body: z.ZodType, values: AssumptionValues): z.ZodType {
  return mapSchema(body, schema => {
    const setting = schema.meta()?.['x-assumption'];
    if (setting === 'copy-pan-default') return changed(schema, { defaultValue: values[setting] });
    if (setting === 'stylesheet-url' && values[setting] === 'required' && schema instanceof z.ZodOptional) {
      return described(innerOf(schema), schema);
    }
    return minorOnWire(schema, values);
  });
}

/** Returns the schema of a response or an event as callers see it under settings. */
export function contentOnWire(content: z.ZodType, values: AssumptionValues): z.ZodType {
  return mapSchema(content, schema => {
    const setting = schema.meta()?.['x-setting'];
    if (setting === 'event-history' && values[setting] === 'twelve') {
      return described(z.enum(EVENT_TYPES), schema);
    }
    if (isUnset(schema, values)) return described(innerOf(schema).optional(), schema);
    return minorOnWire(schema, values);
  });
}

/** Returns a function that brings the body of a response into the form that callers see under settings. */
export function conversionOf(
  response: z.ZodType | null | undefined,
  values: AssumptionValues,
): (body: unknown) => unknown {
  if (response === null || response === undefined) return body => body;
  const omitting = mapSchema(response, schema =>
    isUnset(schema, values) ? schema.transform((value: unknown) => value ?? undefined) : null,
  );
  const isMinor = values['amount-unit'] === 'minor';
  return body => {
    const shown = omitting === response ? body : omitting.parse(body);
    return isMinor ? inHundredths(response, shown) : shown;
  };
}

function minorOnWire(schema: z.ZodType, values: AssumptionValues): z.ZodType | null {
  const form = values['amount-unit'] === 'minor' ? minorForm(schema)?.shown : undefined;
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
