import { expect, test } from 'vitest';
import { BASE, fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

test.each(['kyc-reimport', 'error-flows', 'card-lifecycle', 'fuel', 'hotel'])(
  'every step of the story %s passes, also after a jump from its end to its middle',
  async story => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const { body } = await sandbox.control('GET', `/stories/${story}`);
    for (const to of [body.steps.length, Math.floor(body.steps.length / 2), body.steps.length]) {
      const { body: view } = await sandbox.control('POST', `/stories/${story}/steps`, { to });
      expect(view.played).toHaveLength(to);
      expect(view.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
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
