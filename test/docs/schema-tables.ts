import * as z from 'zod';
import { FixtureFile } from '../../src/fixtures/file/schema.ts';
import { scenarioJsonSchema } from '../../src/scenarios/file/schema.ts';
import { MATCHERS } from '../../src/scenarios/play/matching.ts';
import { markdownTable } from './tables.ts';

/** The parts of a JSON Schema that the tables show. */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
}

const HEADINGS = ['Field', 'Value', 'Notes'];

/** One section per list of a fixture file, with its fields. */
export function fixtureTables(): string {
  // The schema is plain JSON with the properties of the interface above.
  const schema = z.toJSONSchema(FixtureFile, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const sections = Object.entries(schema.properties ?? {}).map(([name, { items = {} }]) => {
    const description = items.description === undefined ? '' : `${items.description}\n\n`;
    return `## ${name}\n\n${description}${markdownTable(HEADINGS, fieldRows(items))}`;
  });
  return `\n${sections.join('\n\n')}\n`;
}

/** The top-level fields of a scenario file. */
export function scenarioTable(): string {
  const { properties = {}, required = [] }: JsonSchema = scenarioJsonSchema();
  const steps = { type: 'list', description: 'See below.' };
  return markdownTable(HEADINGS, fieldRows({ properties: { ...properties, steps }, required }));
}

/** The fields of a step of a scenario. */
export function stepTable(): string {
  const { properties = {} }: JsonSchema = scenarioJsonSchema();
  return markdownTable(HEADINGS, fieldRows(properties.steps?.items ?? {}));
}

/** The matchers that a scenario can expect instead of a value. */
export function matcherTable(): string {
  const rows = Object.entries(MATCHERS).map(([name, { words }]) => [`\`<${name}>\``, words]);
  return markdownTable(['Text', 'Matches'], rows);
}

/** A row per field, at any depth; an object or a list of objects has a row only if it has a description. */
function fieldRows({ properties = {}, required = [] }: JsonSchema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const isRequired = required.includes(name) && field.default === undefined;
    const notes = [
      isRequired ? 'required' : '',
      field.default === undefined ? '' : `default \`${JSON.stringify(field.default)}\``,
      field.description ?? '',
    ].filter(note => note !== '');
    const row = [`\`${prefix}${name}\``, typeText(field), notes.join('; ')];
    const nested = [
      ...fieldRows(field, `${prefix}${name}.`),
      ...fieldRows(field.items ?? {}, `${prefix}${name}[].`),
    ];
    return nested.length > 0 && field.description === undefined ? nested : [row, ...nested];
  });
}

function typeText({ enum: choices, items, anyOf, additionalProperties, type, format }: JsonSchema): string {
  if (choices !== undefined) return choices.map(value => `\`${value}\``).join(', ');
  if (items !== undefined) return `list of ${typeText(items)}`;
  if (anyOf !== undefined) return anyOf.map(typeText).join(' or ');
  if (typeof additionalProperties === 'object') return `map of ${typeText(additionalProperties)}`;
  const types = type === undefined ? 'any value' : [type].flat().join(' or ');
  return format === undefined ? types : `${types} (${format})`;
}
