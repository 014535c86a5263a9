import { expect, test } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { openPage, useBrowserGlobals } from './browser-globals.ts';

useBrowserGlobals();

const STORY = 'kyc-reimport';

test('the presenter plays a story to a step, follows what another tab plays, and leaves no run behind', async () => {
  const sandbox = await startSandbox();
  await openPage(sandbox);
  const { goToStep, leave, openStory, follow, problem, step, story } = await import(
    '../../src/dashboard/present/playing.ts'
  );
  await openStory(STORY);
  expect([story.value?.id, step.value]).toEqual([STORY, 0]);
  await goToStep(2);
  expect([step.value, problem.value]).toEqual([2, null]);
  await goToStep(1_000);
  expect(step.value).toBe(2);
  await sandbox.control('POST', `/stories/${STORY}/steps`, { to: 1 });
  await follow();
  expect(step.value).toBe(1);
  await leave();
  const runs = (await sandbox.control('GET', '/stories')).body.map(({ run }: { run: string | null }) => run);
  expect(new Set(runs)).toEqual(new Set([null]));
});

test('a link to a story that is no more leads to the list of stories', async () => {
  await openPage(await startSandbox());
  const { openStory, stories, story } = await import('../../src/dashboard/present/playing.ts');
  const { presented } = await import('../../src/dashboard/present/address.ts');
  await openStory('error-flows');
  expect([presented.value, story.value]).toEqual([{ story: null }, null]);
  expect(stories.value?.length).toBeGreaterThan(5);
});
