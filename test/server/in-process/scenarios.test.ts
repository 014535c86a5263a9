import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { handlers } from '../../../src/msw.ts';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { START } from '../../support/sandbox.ts';
import { createStage, playToEnd } from '../../support/scenario.ts';

// test/tools/scenarios runs the same files over HTTP, and msw3.test.ts behind MSW 3.
const OPTIONS = { fixtures: ['empty'], clock: START, retrySpeed: 1, allowHttpWebhooks: true } as const;

test.each(scenarioNames())('scenario %s passes in process', async name => {
  await using sandbox = createSandbox(OPTIONS);
  const { url, fetch } = sandbox;
  const report = await playToEnd(
    readScenario(name),
    await createStage(url, { fetch: fetch as typeof globalThis.fetch }),
  );
  expect(report).toMatchObject({ ok: true, left: 0, failed: 0, skipped: 0 });
});

test.each(scenarioNames())('scenario %s passes behind MSW', async name => {
  await using sandbox = createSandbox(OPTIONS);
  const server = setupServer(...handlers(sandbox));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const report = await playToEnd(readScenario(name), await createStage(sandbox.url, { fetch }));
  expect(report).toMatchObject({ ok: true, left: 0, failed: 0, skipped: 0 });
});
