import { expect, test } from 'vitest';
import { scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

test.each(scenarioNames())('every step of the story %s passes, also after a jump back', async story => {
  const sandbox = await startSandbox({ fixtures: ['empty'] });
  const { body } = await sandbox.control('GET', `/stories/${story}`);
  const { length } = body.steps;
  for (const to of [length, Math.floor(length / 2), length]) {
    const view: Json = (await sandbox.control('POST', `/stories/${story}/steps`, { to })).body;
    expect(view.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
    expect(view.played).toHaveLength(to);
  }
});
