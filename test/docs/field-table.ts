import * as z from 'zod';

/** The members of JSON Schema that the tables need. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** Converts a schema to the JSON Schema of its input. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  // The schema is plain JSON; the tables read only the members of the interface above.
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** A Markdown table of the fields of an object, nested ones included. */
export function fieldTable(schema: JsonSchema): string {
  return ['| Field | Value | Description |', '| --- | --- | --- |', ...rowsOf(schema, '')].join('\n');
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    if (member.properties !== undefined) return rowsOf(member, `${prefix}${name}.`);
    if (member.items?.properties !== undefined) return rowsOf(member.items, `${prefix}${name}[].`);
    const notes = [
      required.includes(name) && /^$|\[\]\.$/.test(prefix) ? 'Required.' : '',
      member.description ?? '',
      member.default === undefined ? '' : `Default: \`${JSON.stringify(member.default)}\`.`,
    ].filter(note => note !== '');
    return [`| \`${prefix}${name}\` | ${typeOf(member)} | ${notes.join(' ')} |`];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(value => `\`${value}\``).join(', ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  return [schema.type ?? 'any', schema.format === undefined ? '' : `(${schema.format})`].join(' ').trim();
}
