import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Coverage } from '../../../src/client/generated/records.ts';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { createStage, playToEnd } from '../../support/scenario.ts';

// test/server/in-process plays the same files in process and behind MSW.
const OTHER_CONDITIONS = join(import.meta.dirname, '../../support/scenarios/other-conditions.yaml');
const AS_PUBLISHED = { retrySpeed: 1, allowHttpWebhooks: true };

test('each passes over HTTP, and with one for tests they reach every documented condition', async () => {
  const counts = new Map<string, number>();
  for (const name of [...scenarioNames(), OTHER_CONDITIONS]) {
    const { origin, control } = await startSandbox(AS_PUBLISHED);
    const report = await playToEnd(readScenario(name), await createStage(origin));
    expect(
      report.steps.filter(({ status }) => status !== 'passed'),
      name,
    ).toEqual([]);
    expect(report, name).toMatchObject({ ok: true, left: 0, failed: 0, skipped: 0 });
    const coverage: Coverage = (await control('GET', '/coverage')).body;
    for (const { id, fidelity, count } of coverage.conditions)
      if (fidelity === 'documented') counts.set(id, (counts.get(id) ?? 0) + count);
  }
  expect(counts.size).toBeGreaterThan(0);
  expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
});

test.each(scenarioNames())('%s finds no difference without a control plane', async name => {
  const { origin } = await startSandbox({ ...AS_PUBLISHED, freeze: false, kycDelay: '0s' });
  const scenario = readScenario(name);
  const report = await playToEnd(scenario, await createStage(origin, { hasControl: false }));
  expect(report.steps.filter(({ status }) => status === 'failed')).toEqual([]);
  // What a partner alone can play. A scenario of the card network begins with a person whom only a control plane creates.
  const own = scenario.steps.filter(step => 'request' in step && step.sandboxOnly !== true);
  const isOfPartner = own.length > scenario.steps.length / 2;
  if (isOfPartner) expect(report.passed).toBeGreaterThan(report.skipped);
  for (const { reason } of report.steps.filter(({ status }) => status === 'skipped')) {
    expect(reason).toMatch(/there is no control plane|which step \d+ did not capture/);
  }
});
