import * as z from 'zod';
import { markdownTable } from './markdown.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly 'x-assumption'?: string;
}

export function inputSchema(schema: z.ZodType): JsonSchema {
  // The schema is plain JSON; the tables read only the members of the interface above.
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

export function fieldTable(schema: JsonSchema): string {
  return markdownTable(['Field', 'Value', 'Description'], rowsOf(schema, ''));
}

/** One row per field. An object with fields of its own has a row only if it has a description. */
function rowsOf(schema: JsonSchema, prefix: string): string[][] {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  const [type = '', ...others] = new Set(Object.values(properties).map(typeOf));
  // Fields of a nested object that differ in their names only are one row.
  if (prefix !== '' && names.length > 1 && others.length === 0 && isPlain(schema))
    return [[`\`${prefix}{${names.join(', ')}}\``, type, '']];
  return Object.entries(properties).flatMap(([name, field]) => {
    const nested = [
      ...rowsOf(field, `${prefix}${name}.`),
      ...rowsOf(field.items ?? {}, `${prefix}${name}[].`),
    ];
    if (nested.length > 0 && field.description === undefined) return nested;
    const notes = [
      required.includes(name) && field.default === undefined ? 'Required.' : '',
      field.description ?? '',
      field.default === undefined ? '' : `Default: \`${JSON.stringify(field.default)}\`.`,
    ].filter(note => note !== '');
    return [[`\`${prefix}${name}\``, typeOf(field), notes.join(' ')], ...nested];
  });
}

/** Whether there is nothing to say about the fields of an object but their type. */
function isPlain({ properties = {}, required = [] }: JsonSchema): boolean {
  const fields = Object.values(properties);
  return (
    required.length === 0 &&
    fields.every(
      field =>
        field.description === undefined && field.default === undefined && field.properties === undefined,
    )
  );
}

function typeOf(schema: JsonSchema): string {
  const { enum: choices, items, anyOf, additionalProperties, type = 'any', format } = schema;
  if (choices !== undefined) return choices.map(value => `\`${value}\``).join(', ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  return [[type].flat().join(' or '), format === undefined ? '' : `(${format})`].join(' ').trim();
}
