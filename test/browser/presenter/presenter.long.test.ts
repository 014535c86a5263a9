import { expect, onTestFinished } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { serve } from '../../../src/server/http/server.ts';
import { createStories } from '../../../src/tools/scenarios/present/create-stories.ts';
import { startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { waitForText } from '../support/dashboard.ts';
import { cutParts, openStory, pressUntil, smallTexts, waitForStep } from './support.ts';

const STORY = 'kyc-reimport';

async function lastNames(sandbox: TestSandbox): Promise<readonly string[]> {
  const { body } = await sandbox.control('GET', '/cardholders');
  return body.map(({ lastName }: { lastName: string }) => lastName);
}

browserTest('back rewinds the sandbox, typed numbers jump, and r pressed twice starts again', async () => {
  const sandbox = await startSandbox();
  const { page } = await openStory(sandbox, STORY);
  await page.keyboard.type('6');
  await pressUntil(page, 'Enter', 6);
  expect(await lastNames(sandbox)).toEqual(['Lefebvre']);
  await waitForText(page, '.change-member', 'lastName');
  await pressUntil(page, 'PageUp', 5);
  expect(await lastNames(sandbox)).toEqual(['Lefevbre']);
  await pressUntil(page, 'ArrowLeft', 4);
  await page.keyboard.press('r');
  await waitForText(page, '.presenter-message', 'Press r again');
  await pressUntil(page, 'r', 0);
  expect(await lastNames(sandbox)).toEqual([]);
});

browserTest(
  'the list of steps fits the screen and goes to any step; that of stories opens another one',
  async () => {
    const sandbox = await startSandbox();
    const { page } = await openStory(sandbox, 'card-lifecycle');
    await page.keyboard.press('g');
    const list = page.locator('.story-list');
    await list.waitFor();
    expect(await list.evaluate(each => each.scrollHeight - each.clientHeight)).toBeLessThanOrEqual(1);
    expect(await smallTexts(page)).toEqual([]);
    expect(await seriousViolations(page)).toEqual([]);
    await list.getByRole('button', { name: /^8 / }).click();
    await waitForStep(page, 8);
    await waitForText(page, 'h1', 'Lea gets a card');
    await page.keyboard.press('g');
    await list.getByRole('link', { name: 'A corrected identity' }).click();
    await waitForText(page, 'h1', 'A corrected identity');
    expect(new URL(page.url()).pathname).toBe(`/dashboard/present/${STORY}`);
    await page.goBack();
    await waitForText(page, 'h1', 'Lea gets a card');
  },
);

browserTest('a stray key changes nothing, and one of two presses of Esc does not leave', async () => {
  const sandbox = await startSandbox();
  const { page } = await openStory(sandbox, STORY);
  await pressUntil(page, 'PageDown', 1);
  for (const key of ['x', 'F2', 'r', 'q', 'Escape', 'm', '9', 'z', 'Tab', 'Control+ArrowRight'])
    await page.keyboard.press(key);
  await pressUntil(page, 'PageDown', 2);
  expect(await page.locator('dialog[open]').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/dashboard(?:#.*)?$/);
  expect((await sandbox.control('GET', '/forwarding')).body.url).toBe(null);
});

browserTest('b and . blank the screen, any key shows it again, and the step stays', async () => {
  const { page } = await openStory(await startSandbox(), STORY);
  await pressUntil(page, 'PageDown', 1);
  for (const [blank, wake] of [
    ['b', 'b'],
    ['.', 'PageDown'],
  ] as const) {
    await page.keyboard.press(blank);
    await page.locator('.presenter-blank').waitFor();
    await page.keyboard.press(wake);
    await page.locator('.presenter-blank').waitFor({ state: 'detached' });
  }
  await waitForStep(page, 1);
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true);
});

browserTest('n opens the speaker notes in a window that follows the steps', async () => {
  const { page } = await openStory(await startSandbox(), STORY);
  await page.keyboard.type('6');
  await pressUntil(page, 'Enter', 6);
  const [notes] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('n')]);
  await waitForText(notes, '.notes', 'Compare the id');
  expect(await page.getByText('Compare the id').count()).toBe(0);
  await pressUntil(page, 'PageDown', 7);
  await waitForText(notes, 'h1', "Zoe's name is now correct");
  await waitForText(notes, '.notes-next', 'A token is valid for one import only');
  expect(await seriousViolations(notes)).toEqual([]);
});

browserTest('the story survives a reload, and a link of its own opens it in another world', async () => {
  const sandbox = await startSandbox();
  const { page } = await openStory(sandbox, STORY);
  await pressUntil(page, 'PageDown', 1);
  await pressUntil(page, 'PageDown', 2);
  await page.reload();
  await waitForStep(page, 2);
  await pressUntil(page, 'PageDown', 3);

  await sandbox.control('POST', '/worlds', { id: 'blue' });
  const blue = await openStory(sandbox, STORY, { path: '/dashboard/blue' });
  await waitForStep(blue.page, 0);
  await pressUntil(blue.page, 'PageDown', 1);
  await waitForText(blue.page, '.presenter-where', 'blue');
  await waitForStep(page, 3);
});

browserTest(
  'a dead server is shown in red and retried; a new one takes the story up at the same step',
  async () => {
    const start = async (port: number) => {
      const core = createSandboxCore({ fixtures: ['empty'], freeze: true });
      const server = await serve(core, {
        port,
        host: '127.0.0.1',
        trustProxy: false,
        controlToken: 'control-token',
        createStories,
      });
      const stop = async () => {
        core.stop();
        await server.close(0);
      };
      onTestFinished(stop);
      return { origin: server.origin, stop };
    };
    const first = await start(0);
    const { page } = await openStory(first, STORY);
    await page.keyboard.type('6');
    await pressUntil(page, 'Enter', 6);
    await first.stop();
    await page.keyboard.press('PageDown');
    await waitForText(page, '.presenter-problem', 'does not respond');
    expect(await page.locator('h1').textContent()).toBe('Acme imports Zoe again');
    await start(Number(new URL(first.origin).port));
    await waitForText(page, '.presenter-problem', 'plays it up to step 6 again');
    await pressUntil(page, 'PageDown', 6);
    await pressUntil(page, 'PageDown', 7);
    expect(await page.locator('.presenter-problem').count()).toBe(0);
  },
);

browserTest('a step that is not as expected has a red mark with what differs', async () => {
  const sandbox = await startSandbox();
  const { page } = await openStory(sandbox, STORY);
  await pressUntil(page, 'PageDown', 1);
  await pressUntil(page, 'PageDown', 2);
  await sandbox.control('POST', '/faults', {
    status: 503,
    times: 1,
    method: 'POST',
    path: '/partner/cardholders',
  });
  await pressUntil(page, 'PageDown', 3);
  await waitForText(page, '.presenter-problem', 'expected 201, got 503');
  expect(await cutParts(page)).toEqual([]);
  await pressUntil(page, 'PageUp', 2);
  await sandbox.control('DELETE', '/faults');
  await pressUntil(page, 'PageDown', 3);
  expect(await page.locator('.presenter-problem').count()).toBe(0);
});

browserTest('a story that cannot be played says so, and so does a link to none', async () => {
  const sandbox = await startSandbox({ documentedOnly: true });
  const { page } = await openStory(sandbox, STORY);
  await waitForText(page, '.presenter-problem', '--documented-only refuses');
  expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
  await page.goto(`${sandbox.origin}/dashboard/present/nothing`);
  await waitForText(page, '.presenter-problem', 'no story with id "nothing"');
  await page.keyboard.press('g');
  await page.getByRole('link', { name: 'A corrected identity' }).waitFor();
});

browserTest('the presenter has the names of the partner', async () => {
  const { page } = await openStory(
    await startSandbox({ names: { service: 'acme', idp1: 'checkly' } }),
    STORY,
  );
  await page.keyboard.type('4');
  await pressUntil(page, 'Enter', 4);
  await waitForText(page, '.traffic', 'X-Acme-Signature');
  await pressUntil(page, 'PageUp', 3);
  await waitForText(page, '.traffic', 'checklyShareToken');
  expect(await page.locator('body').innerText()).not.toMatch(/idp1|x-service/i);
});

const SIZES = [
  [1440, 900],
  [834, 1112],
  [390, 844],
] as const;

browserTest.each(SIZES)(
  'the presenter fits a screen of %i by %i, in light and dark',
  async (width, height) => {
    const sandbox = await startSandbox();
    const { page } = await openStory(sandbox, STORY, { viewport: { width, height } });
    for (const [step, key] of [
      [0, ''],
      [6, '6'],
      [11, '11'],
    ] as const) {
      await page.keyboard.type(key);
      if (key !== '') await pressUntil(page, 'Enter', step);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousViolations(page), `step ${step}, ${colorScheme}`).toEqual([]);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      if (width > 900) expect(await cutParts(page)).toEqual([]);
    }
  },
);
