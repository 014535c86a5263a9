import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createSandboxCore } from '../../../src/sandbox/sandbox.ts';
import { serve } from '../../../src/server/http/server.ts';
import { createStories, readStories } from '../../../src/tools/scenarios/present/create-stories.ts';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { type Json, startSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest, openPage } from '../support/browser.ts';
import { waitForText } from '../support/dashboard.ts';
import { cutParts, openStory, PROJECTOR, pressUntil, smallTexts, waitForStep } from './support.ts';

const STORY = 'kyc-reimport';

async function runOf(sandbox: TestSandbox, world = ''): Promise<string | null> {
  return (await sandbox.control('GET', `${world}/stories/${STORY}`)).body.run;
}

const pathOf = (page: Page) => new URL(page.url()).pathname;

browserTest('the list of stories has a link for each, which a number or Tab and Enter open', async () => {
  const sandbox = await startSandbox();
  const { page, consoleErrors } = await openPage({
    viewport: PROJECTOR,
    url: `${sandbox.origin}/dashboard/present`,
  });
  const links = page.locator('.all-stories a');
  await links.first().waitFor();
  const { body } = await sandbox.control('GET', '/stories');
  for (const [index, { title, description, steps }] of body.entries()) {
    const text = await links.nth(index).innerText();
    for (const shown of [String(index + 1), title, description, `${steps} steps`])
      expect(text).toContain(shown);
  }
  expect(await cutParts(page)).toEqual([]);
  expect(await smallTexts(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForText(page, 'h1', 'A corrected identity');
  expect(pathOf(page)).toBe(`/dashboard/present/${STORY}`);
  await page.goBack();
  await links.first().waitFor();
  await page.keyboard.press('1');
  await waitForText(page, 'h1', 'A corrected identity');
  expect(consoleErrors).toEqual([]);
});

browserTest(
  'back rewinds, typed numbers jump, r pressed twice begins again, and the list goes to any step',
  async () => {
    const sandbox = await startSandbox();
    const { page } = await openStory(sandbox, STORY);
    await page.keyboard.type('6');
    await pressUntil(page, 'Enter', 6);
    await waitForText(page, '.person .changed', 'Zoe LefevbreZoe Lefebvre');
    await waitForText(page, '.strip .active', 'Acme');
    await waitForText(page, '.arrow.accepted', 'accepted');
    await pressUntil(page, 'PageUp', 5);
    await waitForText(page, '.person', 'Zoe Lefevbre');
    const first = await runOf(sandbox);
    await page.keyboard.press('r');
    await waitForText(page, '.presenter-message', 'Press r again');
    await pressUntil(page, 'r', 0);
    expect(await runOf(sandbox)).not.toBe(first);

    await page.keyboard.press('g');
    const list = page.locator('.step-list');
    await list.waitFor();
    await waitForText(page, '.step-list h3', 'What Acme can do');
    expect(await list.evaluate(each => each.scrollHeight - each.clientHeight)).toBeLessThanOrEqual(1);
    expect(await violations(page)).toEqual([]);
    await list.getByRole('button', { name: /^11 / }).click();
    await waitForStep(page, 11);
    await waitForText(page, '.arrow.refused', 'refused');
  },
);

browserTest(
  'd and the pointer show everything that was sent, with curl in the names of the partner',
  async () => {
    const sandbox = await startSandbox({ names: { service: 'acme', idp1: 'checkly' } });
    const { page } = await openStory(sandbox, STORY, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.keyboard.type('4');
    await pressUntil(page, 'Enter', 4);
    await page.getByRole('button', { name: 'Show 7 more fields' }).click();
    await waitForText(page, '.traffic', 'X-Acme-Signature');
    await pressUntil(page, 'PageUp', 3);
    const traffic = page.locator('.traffic');
    for (const shown of [
      '"phoneNumber": "+33612345678"',
      '"kycSource": "checkly"',
      'curl -i -X POST',
      '"createdAt"',
    ])
      expect(await traffic.innerText()).toContain(shown);
    expect(await page.locator('body').innerText()).not.toMatch(/idp1|x-service|x-sandbox-names|sk_test/i);
    expect(await smallTexts(page)).toEqual([]);
    await traffic
      .getByRole('button', { name: 'Copy as curl' })
      .or(traffic.getByTitle('Copy as curl'))
      .click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`-X POST '${sandbox.origin}/v1/partner/cardholders'`);
    expect(copied).toMatch(/-H 'x-acme-api-key: sk_test_\w+'/);
    expect(copied).toContain('"checklyShareToken": "share_');
    expect(copied).not.toMatch(/idp1|x-service|x-sandbox-names/i);
    await page.keyboard.press('d');
    await page.getByRole('button', { name: 'Show 3 more fields' }).waitFor();
    expect(await traffic.innerText()).not.toContain('phoneNumber');
  },
);

browserTest(
  'stray keys change nothing, b blanks the screen, n opens the notes, and Esc leaves for the list',
  async () => {
    const sandbox = await startSandbox();
    const { page } = await openStory(sandbox, STORY);
    await pressUntil(page, 'PageDown', 1);
    for (const key of ['x', 'F2', 'r', 'q', 'm', '9', 'z', 'Tab', 'Control+ArrowRight'])
      await page.keyboard.press(key);
    await pressUntil(page, 'PageDown', 2);
    await page.keyboard.press('b');
    await page.locator('.presenter-blank').waitFor();
    await page.keyboard.press('PageDown');
    await page.locator('.presenter-blank').waitFor({ state: 'detached' });
    await waitForStep(page, 2);
    const [notes] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('n')]);
    await waitForText(notes, '.notes', 'letter by letter');
    expect(await page.getByText('letter by letter').count()).toBe(0);
    await pressUntil(page, 'PageDown', 3);
    await waitForText(notes, 'h1', 'Acme imports Zoe');
    await waitForText(notes, '.notes-next', 'Acme is notified that Zoe was added');
    expect(await violations(notes)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.all-stories').waitFor();
    await expect.poll(() => runOf(sandbox)).toBe(null);
    // A stray Escape loses nothing.
    await page.goBack();
    await waitForStep(page, 3);
  },
);

browserTest(
  'a reload, another tab and a phone join the same run, and another world has its own',
  async () => {
    const sandbox = await startSandbox();
    const { page } = await openStory(sandbox, STORY, { path: '/dashboard/main' });
    await pressUntil(page, 'PageDown', 1);
    await pressUntil(page, 'PageDown', 2);
    await page.reload();
    await waitForStep(page, 2);
    const phone = (await openStory(sandbox, STORY, { device: 'phone' })).page;
    await waitForStep(phone, 2);
    await phone.getByRole('button', { name: 'Next' }).click();
    await waitForStep(page, 3);
    await sandbox.control('POST', '/reset');
    await pressUntil(page, 'PageDown', 4);

    await sandbox.control('POST', '/worlds', { id: 'blue' });
    const blue = (await openStory(sandbox, STORY, { path: '/dashboard/blue' })).page;
    await pressUntil(blue, 'PageDown', 1);
    await waitForText(blue, '.presenter-where', 'blue');
    expect(await runOf(sandbox, '/worlds/blue')).not.toBe(await runOf(sandbox));
    await waitForStep(page, 4);
  },
);

browserTest(
  'a dead server is shown in red and retried; a new one plays the story again to the step that was shown',
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
    await waitForText(page, '.presenter-problem', 'does not respond');
    expect(await page.locator('h1').textContent()).toBe('Acme imports Zoe again');
    const { origin } = await start(Number(new URL(first.origin).port));
    await page.locator('.presenter-problem').waitFor({ state: 'detached' });
    const stepsOf = async () =>
      ((await (await fetch(`${origin}/_sandbox/stories/${STORY}`)).json()) as Json).step;
    await expect.poll(stepsOf).toBe(6);
    await pressUntil(page, 'PageDown', 7);
  },
);

browserTest('a step that is not as expected has a red mark with what differs', async () => {
  const file = fixtureFile(
    'name: Wrong\nsteps:\n  - request: GET /partner/cards\n    expect: { status: 201 }\n',
  );
  const sandbox = await startSandbox({}, {}, { createStories: await readStories([file]) });
  const { page } = await openPage({ viewport: PROJECTOR, url: `${sandbox.origin}/dashboard/present` });
  await page.locator('.all-stories a').first().click();
  await page.locator('.keys').waitFor();
  await pressUntil(page, 'PageDown', 1);
  await waitForText(page, '.presenter-problem', 'expected 201, got 200');
});

browserTest(
  'the heading of a step with more text than fits stands at the top of what is scrolled',
  async () => {
    const expectations = ['id', 'type', 'brand', 'status'].map(name => `${name}: none`).join(', ');
    const file = fixtureFile(`name: Long
people: { ana: Ana }
steps:
  - say: Much differs
    note: ${'A note that needs several lines. '.repeat(12)}
    request: GET /partner/cards?limit=1
    expect: { body: { data: [{ ${expectations} }] } }
`);
    const sandbox = await startSandbox(
      { fixtures: ['starter'] },
      {},
      { createStories: await readStories([file]) },
    );
    const { page } = await openPage({ viewport: PROJECTOR, url: `${sandbox.origin}/dashboard/present` });
    await page.locator('.all-stories a').first().click();
    await page.locator('.keys').waitFor();
    await pressUntil(page, 'PageDown', 1);
    await waitForText(page, '.presenter-problem', 'expected');
    const above = await page
      .locator('.step')
      .evaluate(
        step =>
          step.getBoundingClientRect().top - Number(step.querySelector('h1')?.getBoundingClientRect().top),
      );
    expect(above).toBeLessThanOrEqual(0);
  },
);
