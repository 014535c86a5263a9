import { expect, test } from 'vitest';
import type { Coverage } from '../../../src/client/generated/records.ts';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

test('the built-in scenarios together reach every documented condition', async () => {
  const { control } = await startSandbox();
  const counts = new Map<string, number>();
  for (const name of scenarioNames()) {
    const to = readScenario(name).steps.length;
    const { body: story } = await control('POST', `/stories/${name}/steps`, { to });
    expect(story.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
    const coverage: Coverage = (await control('GET', `/worlds/${story.run}/coverage`)).body;
    for (const { id, fidelity, count } of coverage.conditions)
      if (fidelity === 'documented') counts.set(id, (counts.get(id) ?? 0) + count);
  }
  expect(counts.size).toBeGreaterThan(0);
  expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
});
