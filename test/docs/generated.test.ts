import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wholeProgram } from '../../src/cli/program.ts';
import { configJsonSchema } from '../../src/sandbox/config-schema.ts';
import { fixtureJsonSchema } from '../../src/sandbox/fixtures/file/schema.ts';
import { profileJsonSchema } from '../../src/sandbox/profile-schema.ts';
import { assumptions } from '../../src/service/assumptions/register.ts';
import { scenarioJsonSchema } from '../../src/tools/scenarios/file/schema.ts';
import { fixtureReference } from './fixture-reference.ts';
import {
  checkedDeclineTable,
  eventTable,
  faultTable,
  forcedDeclineTable,
  kycFormTable,
  revealProblemTable,
  webhookFaultTable,
} from './resource-tables.ts';
import { matcherTable, scenarioTable, stepTable } from './scenario-reference.ts';
import {
  assumptionTable,
  commandTable,
  controlTable,
  expectTables,
  operationTable,
  settingTable,
} from './tables.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each([
  [
    'docs/fidelity.md',
    {
      operations: operationTable(),
      settings: settingTable(assumptions),
      assumptions: assumptionTable(assumptions),
    },
  ],
  ['docs/control-plane.md', { control: controlTable() }],
  ['docs/command-line.md', { commands: commandTable(await wholeProgram()) }],
  ['docs/fixtures.md', { fields: fixtureReference() }],
  ['docs/scenarios.md', { matchers: matcherTable(), scenario: scenarioTable(), step: stepTable() }],
  ['docs/webhooks.md', { events: eventTable(), 'webhook faults': webhookFaultTable() }],
  [
    'docs/card-network.md',
    { 'checked declines': checkedDeclineTable(), 'forced declines': forcedDeclineTable() },
  ],
  ['docs/reveal-and-kyc.md', { 'reveal problems': revealProblemTable(), 'form fields': kycFormTable() }],
  ['docs/faults.md', { 'fault fields': faultTable() }],
])('the tables of %s are complete (npm run docs updates them)', expectTables);

test.each([
  ['fixture', fixtureJsonSchema()],
  ['scenario', scenarioJsonSchema()],
  ['profile', profileJsonSchema()],
  ['config', configJsonSchema()],
])('the JSON Schema schemas/%s.json is up to date (npm run docs)', async (name, schema) => {
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, `schemas/${name}.json`));
});
