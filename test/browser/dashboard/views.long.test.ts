import { expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

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

browserTest('Ctrl K and / focus the search of the page, or of the cardholders', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '#/assumptions');
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
  await waitForText(page, 'h1', 'Assumptions');
  for (const key of ['/', 'Control+k']) {
    await page.keyboard.press(key);
    expect(await focused()).toBe('Search assumptions');
    await page.keyboard.press('Escape');
  }
  // A page without a search.
  await goTo(page, '#/time');
  await waitForText(page, 'h1', 'Time');
  await page.keyboard.press('Control+k');
  await expect.poll(focused).toBe('Search cardholders');
  await page.keyboard.type('keller');
  await waitForText(page, '.tally', '1 of ');
  await goTo(page, '#/settings');
  await page.getByLabel('Requests per minute').press('Control+k');
  await expect.poll(focused).toBe('Search cardholders');
  // A form asks for something first.
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Control+k');
  expect(await focused()).not.toBe('Search cardholders');
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

browserTest('the register of assumptions shows settings', async () => {
  const sandbox = await startSandbox({ assume: { 'list-order': 'oldest' } });
  const { page } = await openDashboard(sandbox, '#/assumptions');
  const entry = page.locator('#assumption-list-order');
  await expect.poll(() => entry.textContent()).toContain('Setting oldest instead of newest');
  await expect.poll(() => page.locator('#assumption-money').textContent()).not.toContain('Setting');
});
