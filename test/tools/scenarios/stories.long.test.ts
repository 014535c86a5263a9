import { expect, test } from 'vitest';
import { scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { BASE, fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

test.each(scenarioNames())(
  'every step of the story %s passes, in an empty sandbox and in the starter, also after a jump from its end to its middle',
  async story => {
    for (const fixtures of [['empty'], ['starter']]) {
      const sandbox = await startSandbox({ fixtures });
      const { body } = await sandbox.control('GET', `/stories/${story}`);
      for (const to of [body.steps.length, Math.floor(body.steps.length / 2), body.steps.length]) {
        const { body: view } = await sandbox.control('POST', `/stories/${story}/steps`, { to });
        expect(view.played).toHaveLength(to);
        expect(view.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
      }
      for (const { heading } of body.steps) expect(heading).toMatch(/^\w.{5,}$/);
    }
  },
);

test('the stories pass in a world of 100,000 cardholders with cards', { timeout: 120_000 }, async () => {
  const people = 'cardholders: [{ generate: 100000, kycStatus: approved, card: { status: active } }]\n';
  const sandbox = await startSandbox({ fixtures: [fixtureFile(BASE + people)] });
  for (const { id, steps } of (await sandbox.control('GET', '/stories')).body) {
    const { body: view } = await sandbox.control('POST', `/stories/${id}/steps`, { to: steps });
    expect(view.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
    expect(view.played).toHaveLength(steps);
  }
});
