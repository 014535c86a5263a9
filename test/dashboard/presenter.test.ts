import { expect, onTestFinished, test, vi } from 'vitest';
import { type Json, startSandbox, type TestSandbox } from '../support/sandbox.ts';
import { openPage, useBrowserGlobals } from './browser-globals.ts';

useBrowserGlobals();

const STORY = 'kyc-reimport';

/** Returns the ids of the stories that are being played, in order. */
async function played(sandbox: TestSandbox): Promise<string[]> {
  const { body } = await sandbox.control('GET', '/stories');
  return body.flatMap(({ id, run }: Json) => (run === null ? [] : [id])).sort();
}

test('the presenter plays a story to a step, follows what another tab plays, and leaves no run behind', async () => {
  const sandbox = await startSandbox();
  await openPage(sandbox);
  const { goToStep, openStory, follow, problem, step, story } = await import(
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
  await openStory(null);
  await expect.poll(() => played(sandbox)).toEqual([]);
});

test('leaving a story for the next one or for the list ends its run, and no other', async () => {
  const sandbox = await startSandbox();
  await openPage(sandbox);
  const { openStory } = await import('../../src/dashboard/present/playing.ts');
  // In another tab.
  await sandbox.control('POST', '/stories/fuel/steps', { to: 1 });
  await openStory(STORY);
  expect(await played(sandbox)).toEqual(['fuel', STORY]);
  await openStory('hotel');
  await expect.poll(() => played(sandbox)).toEqual(['fuel', 'hotel']);
  await openStory(null);
  await expect.poll(() => played(sandbox)).toEqual(['fuel']);
});

test('a story that is shown again while its run ends is played to the step that was shown', async () => {
  const sandbox = await startSandbox();
  await openPage(sandbox);
  const { goToStep, openStory, step, story } = await import('../../src/dashboard/present/playing.ts');
  await openStory(STORY);
  await goToStep(2);
  const { fetch } = globalThis;
  let deleting: Promise<unknown> = Promise.resolve();
  const shownAgain = new Promise<void>(resolve => {
    vi.stubGlobal('fetch', async (target: string, init?: RequestInit) => {
      if (init?.method !== 'DELETE') {
        if (target.endsWith(STORY)) await deleting;
        return fetch(target, init);
      }
      const deleted = sandbox.control('GET', '/health').then(() => fetch(target, init));
      deleting = deleted;
      resolve(openStory(STORY));
      return deleted;
    });
  });
  onTestFinished(async () => {
    vi.stubGlobal('fetch', fetch);
    await openStory(null);
  });
  await Promise.all([openStory(null), shownAgain]);
  expect([story.value?.id, step.value]).toEqual([STORY, 2]);
});
