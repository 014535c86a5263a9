import { expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

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

browserTest('menu, search, list and clock work by keyboard', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox);
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await waitForText(page, 'h1', 'Cardholders');
  await page.keyboard.press('/');
  await page.keyboard.type('keller');
  await waitForText(page, '.tally', '1 of ');
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').focus();
  await page.keyboard.press('ArrowDown');
  await waitForText(page, '.detail h2', 'Mia Keller');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.detail').count()).toBe(0);
  await page.keyboard.press('Shift+Digit3');
  await waitForText(page, '.clock-now', '10:30:00');
  await page.keyboard.press('Shift+KeyZ');
  await waitForText(page, '.clock-now', 'running');
});

browserTest('on a phone the menu opens, and a record covers the list', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '', { device: 'phone' });
  await press(page, 'Menu');
  await page.getByRole('link', { name: 'Cards', exact: true }).click();
  await page.locator('.row').first().click();
  await page.locator('.detail').waitFor();
  expect(await page.locator('.list').isVisible()).toBe(false);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
  await press(page, 'Close');
  await page.locator('.list').waitFor();
});
