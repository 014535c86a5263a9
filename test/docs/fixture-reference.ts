import * as z from 'zod';
import { FixtureFile } from '../../src/fixtures/file/schema.ts';

interface JsonSchema {
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

const INTRODUCTION = `# Fixtures

A fixture is a YAML or JSON file with lists of records. Every list and every field that is not marked as needed
can be left out. Unknown fields are errors. Several fixtures are merged in the order in which they are named; a
record takes the place of an earlier one with the same id.

Where a record names no \`partnerId\`, it belongs to the first partner; where it names no \`cardProgramId\`, to its
partner's first program. Times are ISO 8601, or counted from the moment at which the sandbox clock starts
(\`-40d\`, \`+2h\`, \`now\`). People that are not described are made up, always the same for the same seed.

<!-- The rest is generated from the schema by \`npm run docs\`. -->
`;

/** The reference of the fixture format, from the schema that checks it. */
export function fixtureReference(): string {
  // The schema is plain JSON; the fields that are read here are those of the interface above.
  const schema = z.toJSONSchema(FixtureFile, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const kinds = Object.entries(schema.properties ?? {}).map(([kind, { items = {} }]) => {
    const rows = rowsOf(items, '');
    const about = items.description === undefined ? '' : `${items.description}\n\n`;
    return `\n## ${kind}\n\n${about}| Field | Value | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return INTRODUCTION + kinds.join('');
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    if (member.properties !== undefined) return rowsOf(member, `${prefix}${name}.`);
    if (member.items?.properties !== undefined) return rowsOf(member.items, `${prefix}${name}[].`);
    const notes = [
      required.includes(name) && /^$|\[\]\.$/.test(prefix) ? 'needed' : '',
      member.default === undefined ? '' : `default \`${JSON.stringify(member.default)}\``,
      member.description ?? '',
    ].filter(note => note !== '');
    return [`| \`${prefix}${name}\` | ${typeOf(member)} | ${notes.join('; ')} |`];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map(value => `\`${value}\``).join(', ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  return [schema.type ?? 'text', schema.format === undefined ? '' : `(${schema.format})`].join(' ').trim();
}
