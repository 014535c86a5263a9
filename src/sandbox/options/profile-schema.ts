import * as z from 'zod';
import type { Setting } from '../../core/values/setting.ts';
import { assumptions } from '../../service/assumptions/register.ts';
import { ProfileFile } from './profile.ts';

/** Returns the format of profiles as JSON Schema, for editors. */
export function profileJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ProfileFile, { io: 'input', unrepresentable: 'any' });
  return {
    ...schema,
    title: 'card-sandbox profile',
    properties: { ...schema.properties, assume: assumeSchema() },
  };
}

/** The settings, which the schema of the file only has as a function. */
function assumeSchema() {
  const properties = assumptions.flatMap(entry =>
    'setting' in entry ? [[entry.id, { description: entry.decision, ...valueSchema(entry.setting) }]] : [],
  );
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function valueSchema({ type, choices = [], default: initial }: Setting) {
  // A choice that is a number or a boolean can be written as a text, too.
  const values = [...new Set([...choices, ...choices.map(String)])];
  if (type === 'choice') return { enum: values, default: initial };
  return { type: 'string', default: initial };
}
