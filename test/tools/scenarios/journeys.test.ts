import { expect, test } from 'vitest';
import { type Json, startSandbox } from '../../support/sandbox.ts';

const JOURNEYS = ['fuel', 'hotel', 'restaurant-tip', 'subscription', 'atm'];

test.each(JOURNEYS)(
  'every step of the journey %s passes, in an empty sandbox and in the starter',
  async story => {
    for (const fixtures of [['empty'], ['starter']]) {
      const sandbox = await startSandbox({ fixtures });
      const { body } = await sandbox.control('GET', `/stories/${story}`);
      const { body: view } = await sandbox.control('POST', `/stories/${story}/steps`, {
        to: body.steps.length,
      });
      expect(view.played).toHaveLength(body.steps.length);
      expect(view.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
      for (const { heading } of body.steps) expect(heading).toMatch(/^\w.{5,}$/);
    }
  },
);
