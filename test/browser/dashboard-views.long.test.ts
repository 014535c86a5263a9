import { join } from 'node:path';
import { expect } from 'vitest';
import { fixtureFile } from '../fixtures/fixture-files.ts';
import { newCardholder, startSandbox } from '../support/sandbox.ts';
import { seriousViolations } from './support/accessibility.ts';
import { browserTest } from './support/browser.ts';
import { goTo, openDashboard, press, waitForText } from './support/dashboard.ts';

const CROWD = join(import.meta.dirname, '../support/fixtures/many-cardholders.yaml');
const VIEWS = [
  '#/overview',
  '#/cardholders',
  '#/cardholders/ch_mia_approved',
  '#/cards/card_mia_active',
  '#/transactions',
  '#/tokens/tok_ana_approve',
  '#/sessions/kycs_omar_pending',
  '#/requests',
  '#/deliveries',
  '#/history',
  '#/console',
  '#/time',
  '#/checkpoints',
  '#/faults',
  '#/settings',
  '#/assumptions',
  '#/present',
  '#/nothing',
];

/** Color schemes with the rules to check, undefined for all. Only the contrast depends on the scheme. */
const SCHEMES = [
  ['light', undefined],
  ['dark', ['color-contrast']],
] as const;

for (const [colorScheme, rules] of SCHEMES) {
  browserTest(
    `no view has a serious or critical accessibility violation, ${colorScheme}`,
    async () => {
      const sandbox = await startSandbox({ fixtures: ['starter'] });
      await sandbox.api('GET', '/partner/cards/card_nobody');
      await sandbox.control('POST', '/faults', { status: 503, times: 1 });
      const { page } = await openDashboard(sandbox, '', { colorScheme });
      for (const view of VIEWS) {
        await goTo(page, view);
        await page.locator('h1').first().waitFor();
        expect([view, await seriousViolations(page, rules)]).toEqual([view, []]);
      }
      await goTo(page, '#/cardholders');
      for (const key of ['?', 'n', 'm']) {
        await page.locator('body').press(key);
        await page.locator('dialog[open]').waitFor();
        expect([key, await seriousViolations(page, rules)]).toEqual([key, []]);
        await page.keyboard.press('Escape');
      }
    },
    60_000,
  );
}

/** Scrolls a list to its end in 60 frames. Returns how long each took, in milliseconds, sorted. */
const SCROLL_THROUGH = `(async () => {
  const list = document.querySelector('.list-rows');
  const taken = [];
  let last = performance.now();
  for (let step = 1; step <= 60; step += 1) {
    list.scrollTop = (list.scrollHeight / 60) * step;
    await new Promise(requestAnimationFrame);
    taken.push(performance.now() - last);
    last = performance.now();
  }
  return taken.sort((a, b) => a - b);
})()`;

browserTest(
  'a list of 5,000 cardholders scrolls smoothly: only the visible rows are in the document',
  async () => {
    const sandbox = await startSandbox({ fixtures: ['empty', CROWD] });
    const { page } = await openDashboard(sandbox, '#/cardholders');
    await waitForText(page, '.tally', '5,000');
    expect(await page.locator('.row').count()).toBeLessThan(60);
    const frames = await page.evaluate<number[]>(SCROLL_THROUGH);
    expect(frames[Math.floor(frames.length / 2)]).toBeLessThan(50);
    await waitForText(page, '.row', 'crowd_1');
    await page.getByLabel('Search cardholders').fill('crowd_4321');
    await waitForText(page, '.tally', '1 of 5,000');
  },
  90_000,
);

browserTest(
  'of more records than the page holds it shows the total, finds any, and adds what is created at the top',
  async () => {
    const fixtures = ['empty', fixtureFile('cardholders: [{ generate: 10100, externalUserId: crowd }]')];
    const sandbox = await startSandbox({ fixtures });
    const { page } = await openDashboard(sandbox, '#/cardholders');
    await waitForText(page, '.tally', '10,100');
    const { body } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
    await waitForText(page, '.row', body.email);
    await waitForText(page, '.tally', '10,101');
    expect(await page.locator('.row').first().textContent()).toContain(body.email);
    const oldest = (await sandbox.control('GET', '/cardholders?limit=1&offset=10100')).body[0];
    await page.getByLabel('Search cardholders').fill(oldest.id);
    await waitForText(page, '.tally', '1 of 10,101');
    await page.locator('.row').first().click();
    await waitForText(page, '.detail', oldest.email);
    await sandbox.control('POST', `/cardholders/${oldest.id}/status`, { status: 'suspended' });
    await waitForText(page, '.detail', 'suspended');
  },
  90_000,
);

browserTest('menu, search, list and clock work by keyboard', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox);
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await waitForText(page, 'h1', 'Cardholders');
  await page.keyboard.press('/');
  await page.keyboard.type('keller');
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').focus();
  await page.keyboard.press('ArrowDown');
  await waitForText(page, '.detail h2', 'Mia Keller');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.detail').count()).toBe(0);
  await page.keyboard.press('3');
  await waitForText(page, '.clock-now', '10:30:00');
  await page.keyboard.press('z');
  await waitForText(page, '.clock-now', 'running');
});

browserTest('on a phone the menu opens, and a record covers the list', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '', { device: 'phone' });
  await press(page, 'Menu');
  await page.getByRole('link', { name: 'Cards', exact: true }).click();
  await page.locator('.row').first().click();
  await page.locator('.detail').waitFor();
  expect(await page.locator('.browse-list').isVisible()).toBe(false);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
  await press(page, 'Close');
  await page.locator('.browse-list').waitFor();
});

browserTest.each(['kyc-reimport', 'error-flows', 'card-lifecycle'])(
  'the presenter plays %s, each step with the expected status',
  async scenario => {
    const sandbox = await startSandbox();
    const { page } = await openPresenter(sandbox, scenario);
    const steps = await page.locator('.story-steps li').count();
    for (let step = 1; step <= steps; step += 1) {
      await page.keyboard.press('ArrowRight');
      await waitForText(page, '.story-step', `Step ${step} of ${steps}`);
      await waitForText(page, '.verdict', 'as expected');
    }
    await waitForText(page, '.story-next', 'Finished');
    expect(await page.locator('.wire-entry').count()).toBeGreaterThan(0);
  },
);

async function openPresenter(sandbox: Parameters<typeof openDashboard>[0], scenario: string) {
  const opened = await openDashboard(sandbox);
  await goTo(opened.page, `#/present/${scenario}`);
  await opened.page.locator('.story h1').waitFor();
  return opened;
}
