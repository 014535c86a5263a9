import { FixtureFile } from '../../src/sandbox/fixtures/file/schema.ts';
import { fieldTable, inputSchema } from './field-table.ts';

/** The reference of the fixture format, with one section per kind of record. */
export function fixtureReference(): string {
  const { properties = {} } = inputSchema(FixtureFile);
  const sections = Object.entries(properties).map(
    ([kind, { items = {} }]) => `\n## ${kind}\n\n${items.description ?? ''}\n\n${fieldTable(items)}\n`,
  );
  return sections.join('');
}
