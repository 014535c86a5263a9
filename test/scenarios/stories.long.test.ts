import { expect, test } from 'vitest';
import { type Json, startSandbox } from '../support/sandbox.ts';

test.each(['kyc-reimport', 'error-flows', 'card-lifecycle'])(
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
