import { expect, test } from 'vitest';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { type Json, startSandbox } from '../../support/sandbox.ts';

test.each(scenarioNames())(
  'every step of the story %s passes, also after a jump back, and shows what it is about',
  async story => {
    const sandbox = await startSandbox({ fixtures: ['empty'] });
    const { body } = await sandbox.control('GET', `/stories/${story}`);
    const { length } = body.steps;
    let view: Json = null;
    for (const to of [length, Math.floor(length / 2), length]) {
      view = (await sandbox.control('POST', `/stories/${story}/steps`, { to })).body;
      expect(view.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
      expect(view.played).toHaveLength(to);
    }
    const { steps, people } = readScenario(story);
    for (const [index, { about = [] }] of steps.entries()) {
      const place = `step ${index + 1}`;
      const { scenes, people: shown } = view.played[index];
      const members = scenes.flatMap((scene: Json) => scene.members ?? []).map(({ name }: Json) => name);
      expect(members, place).toEqual(expect.arrayContaining([...about]));
      expect(shown.length, place).toBeGreaterThanOrEqual(Object.keys(people).length);
    }
  },
);
