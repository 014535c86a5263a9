import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wholeProgram } from '../../src/cli/program.ts';
import { fixtureJsonSchema } from '../../src/sandbox/fixtures/file/schema.ts';
import { profileJsonSchema } from '../../src/sandbox/profile-schema.ts';
import { assumptions } from '../../src/service/assumptions/register.ts';
import { scenarioJsonSchema } from '../../src/tools/scenarios/file/schema.ts';
import { soundIntegrationCode } from '../tools/exam/apps/excerpts.ts';
import { fixtureReference } from './fixture-reference.ts';
import {
  checkedDeclineTable,
  eventTable,
  faultTable,
  forcedDeclineTable,
  kycFormTable,
  misbehaviourTable,
  probeTable,
  revealProblemTable,
  variableTable,
  webhookFaultTable,
} from './resource-tables.ts';
import { matcherTable, scenarioTable, stepTable } from './scenario-reference.ts';
import {
  assumptionTable,
  commandTable,
  controlTable,
  operationTable,
  settingTable,
  withTable,
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
  ['docs/sound-integration.md', soundIntegrationCode()],
  ['docs/fixtures.md', { fields: fixtureReference() }],
  ['docs/scenarios.md', { matchers: matcherTable(), scenario: scenarioTable(), step: stepTable() }],
  ['docs/webhooks.md', { events: eventTable(), 'webhook faults': webhookFaultTable() }],
  [
    'docs/card-network.md',
    { 'checked declines': checkedDeclineTable(), 'forced declines': forcedDeclineTable() },
  ],
  ['docs/reveal-and-kyc.md', { 'reveal problems': revealProblemTable(), 'form fields': kycFormTable() }],
  ['docs/faults.md', { 'fault fields': faultTable() }],
  ['docs/calibrate.md', { variables: variableTable(), probes: probeTable() }],
  ['docs/exam.md', { benign: misbehaviourTable('benign'), malign: misbehaviourTable('malign') }],
])('the tables of %s are complete (npm run docs updates them)', async (name, tables) => {
  const file = join(ROOT, name);
  let document = readFileSync(file, 'utf8');
  for (const [table, text] of Object.entries(tables)) document = withTable(document, table, text);
  await expect(document).toMatchFileSnapshot(file);
});

test.each([
  ['fixture', fixtureJsonSchema()],
  ['scenario', scenarioJsonSchema()],
  ['profile', profileJsonSchema()],
])('the JSON Schema schemas/%s.json is up to date (npm run docs)', async (name, schema) => {
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, `schemas/${name}.json`));
});
