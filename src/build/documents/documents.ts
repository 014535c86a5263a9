import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { javaScriptTest } from '../../cli/commands/init/first-test.ts';
import { Header, LINES } from '../../control/history/record/format.ts';
import { configJsonSchema } from '../../sandbox/config-schema.ts';
import { fixtureJsonSchema } from '../../sandbox/fixtures/file/schema.ts';
import { openApiDocument, writeDocument } from '../../server/openapi/document.ts';
import { scenarioJsonSchema } from '../../tools/scenarios/file/schema.ts';
import { apiSection, conflictBodies, eventBody } from './api-reference.ts';
import { misbehaviourTable, repeatTable } from './exam-tables.ts';
import { fixtureReference, matcherTable, scenarioTable, stepTable } from './format-tables.ts';
import { withSection } from './markdown.ts';
import { assumptionTable, controlTable, settingTable } from './operation-tables.ts';
import {
  checkedDeclineTable,
  eventTable,
  faultTable,
  forcedDeclineTable,
  revealProblemTable,
  webhookFaultTable,
} from './resource-tables.ts';

/** Returns what is generated for people and their tools, by path: documents with tables, JSON Schemas, OpenAPI documents. */
export async function generatedDocuments(): Promise<Readonly<Record<string, string>>> {
  const pages = Object.entries(sections()).map(([path, texts]) => [path, filled(path, texts)]);
  return { ...Object.fromEntries(pages), ...schemas(), ...(await openApi()) };
}

/** The generated sections of each page, by the names of their marks. */
function sections(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    'README.md': { 'first test': firstTest() },
    'docs/embedding.md': { 'first test': firstTest() },
    'docs/fidelity.md': {
      settings: settingTable(),
      assumptions: assumptionTable(),
    },
    'docs/api.md': {
      cardholders: apiSection('Cardholders'),
      'kyc sessions': apiSection('KYC sessions'),
      'card programs': apiSection('Card programs'),
      cards: apiSection('Cards'),
      transactions: apiSection('Transactions'),
      balance: apiSection('Balance'),
      usage: apiSection('Usage'),
      webhooks: apiSection('Webhooks'),
      conflicts: conflictBodies(),
      events: eventTable(),
      'event body': eventBody(),
    },
    'docs/control-plane.md': { control: controlTable() },
    'docs/fixtures.md': { fields: fixtureReference() },
    'docs/scenarios.md': { matchers: matcherTable(), scenario: scenarioTable(), step: stepTable() },
    'docs/webhooks.md': { 'webhook faults': webhookFaultTable() },
    'docs/card-network.md': {
      'checked declines': checkedDeclineTable(),
      'forced declines': forcedDeclineTable(),
    },
    'docs/reveal-and-kyc.md': { 'reveal problems': revealProblemTable() },
    'docs/faults.md': { 'fault fields': faultTable() },
    'docs/exam.md': { misbehaviours: misbehaviourTable() },
    'docs/sound-integration.md': { repeats: repeatTable() },
  };
}

function firstTest(): string {
  return `\`\`\`ts tests/card-sandbox.test.ts\n${javaScriptTest('vitest', { language: 'TypeScript', isModule: true })}\`\`\``;
}

function filled(path: string, texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts).reduce(
    (document, [name, text]) => withSection(document, name, text),
    readFileSync(path, 'utf8'),
  );
}

function schemas() {
  const all = {
    fixture: fixtureJsonSchema(),
    scenario: scenarioJsonSchema(),
    config: configJsonSchema(),
    record: recordJsonSchema(),
  };
  const files = Object.entries(all).map(([name, schema]) => [
    `schemas/${name}.json`,
    `${JSON.stringify(schema, null, 2)}\n`,
  ]);
  return Object.fromEntries(files);
}

function recordJsonSchema(): Record<string, unknown> {
  const later = Object.entries(LINES).map(([name, line]) => z.strictObject({ [name]: line }));
  const schema = z.toJSONSchema(z.union([Header, ...later]), { unrepresentable: 'any' });
  return { ...schema, title: 'A line of a card-sandbox record' };
}

async function openApi() {
  return {
    'docs/openapi.json': writeDocument(await openApiDocument('partner'), 'json'),
    'docs/openapi-control.json': writeDocument(await openApiDocument('control'), 'json'),
  };
}
