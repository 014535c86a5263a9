import { scenarioJsonSchema } from '../../src/tools/scenarios/file/schema.ts';
import { MATCHERS } from '../../src/tools/scenarios/play/matching.ts';
import { fieldTable, type JsonSchema } from './field-table.ts';
import { markdownTable } from './tables.ts';

const schema: JsonSchema = scenarioJsonSchema();
const { steps = {}, ...properties } = schema.properties ?? {};

/** The top-level fields of a scenario file. */
export function scenarioTable(): string {
  const list = { type: 'list', description: 'See below.' };
  return fieldTable({ properties: { ...properties, steps: list }, required: schema.required ?? [] });
}

/** The fields of a step of a scenario. */
export function stepTable(): string {
  return fieldTable(steps.items ?? {});
}

/** The matchers that a scenario can expect instead of a value. */
export function matcherTable(): string {
  const rows = Object.entries(MATCHERS).map(([name, { description }]) => [`\`<${name}>\``, description]);
  return markdownTable(['Text', 'Matches'], rows);
}
