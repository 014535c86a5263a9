import { FixtureFile } from '../../sandbox/fixtures/file/schema.ts';
import { scenarioJsonSchema } from '../../tools/scenarios/file/schema.ts';
import { MATCHERS } from '../../tools/scenarios/play/matching.ts';
import { fieldTable, inputSchema, type JsonSchema } from './field-table.ts';
import { markdownTable } from './markdown.ts';

const scenario: JsonSchema = scenarioJsonSchema();
const { steps = {}, ...properties } = scenario.properties ?? {};

/** The reference of the fixture format, with one section per kind of record. */
export function fixtureReference(): string {
  const { properties: kinds = {} } = inputSchema(FixtureFile);
  const sections = Object.entries(kinds).map(
    ([kind, { items = {} }]) =>
      `\n## ${kind}\n\n${items.description ?? ''}\n\n${fieldTable(withoutCard(items))}\n`,
  );
  return sections.join('');
}

/** Leaves out the fields of the card in a cardholder, which a card has, too. */
function withoutCard(schema: JsonSchema): JsonSchema {
  const { card, ...others } = schema.properties ?? {};
  if (card?.properties === undefined) return schema;
  const brief = {
    type: 'object',
    description: 'A card of each: the fields of [cards](#cards), without an id.',
  };
  return { ...schema, properties: { ...others, card: brief } };
}

export function scenarioTable(): string {
  const list = { type: 'list', description: 'See below.' };
  return fieldTable({ properties: { ...properties, steps: list }, required: scenario.required ?? [] });
}

export function stepTable(): string {
  return fieldTable(steps.items ?? {});
}

export function matcherTable(): string {
  const rows = Object.entries(MATCHERS).map(([name, { description }]) => [`\`<${name}>\``, description]);
  return markdownTable(['Text', 'Matches'], rows);
}
