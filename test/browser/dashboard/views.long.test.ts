import { expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

browserTest('menu, search and list work by keyboard', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await waitForText(page, 'h1', 'Cardholders');
  await page.keyboard.press('/');
  await page.keyboard.type('keller');
  await waitForText(page, '.tally', '1 of ');
  await page.keyboard.press('ArrowDown');
  await waitForText(page, '.detail h2', 'Mia Keller');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Selected cardholder');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.detail').count()).toBe(0);
});

browserTest('a list obeys its keys wherever the focus is, and the first Tab leads to it', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox);
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await waitForText(page, '.row', '4106');
  const selected = () => page.locator('.row[aria-selected=true]').getAttribute('aria-posinset');
  for (const [key, position] of [
    ['j', '1'],
    ['ArrowDown', '2'],
    ['j', '3'],
    ['k', '2'],
    ['ArrowUp', '1'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(selected).toBe(position);
  }
  await page.keyboard.press('Escape');
  await page.reload();
  await waitForText(page, '.row', '4106');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.role')).toBe('listbox');
  // A field takes the keys itself.
  await page.keyboard.press('/');
  await page.keyboard.type('jk');
  expect(await page.getByLabel('Search cards').inputValue()).toBe('jk');
  expect(await page.locator('.detail').count()).toBe(0);
});

browserTest('a page begins at its top, however far the one before was scrolled', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '#/time');
  await page.setViewportSize({ width: 640, height: 360 });
  const scrolled = () => page.evaluate<number>('document.getElementById("main").scrollTop');
  await page.evaluate('document.getElementById("main").scrollTo(0, 150)');
  await expect.poll(scrolled).toBeGreaterThan(50);
  await goTo(page, '#/faults');
  await waitForText(page, 'h1', 'Faults');
  await expect.poll(scrolled).toBe(0);
});

browserTest('Ctrl K and / focus the search of the page', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '#/cardholders');
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
  await waitForText(page, 'h1', 'Cardholders');
  for (const key of ['/', 'Control+k']) {
    await page.keyboard.press(key);
    expect(await focused()).toBe('Search cardholders');
    await page.keyboard.press('Escape');
  }
  // A form asks for something first.
  await page.keyboard.press('m');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Control+k');
  expect(await focused()).not.toBe('Search cardholders');
});

/** The first words of each text of the page that ends beyond the window, unless an ellipsis cuts it. */
const TEXTS_BEYOND_WINDOW = `[...document.querySelectorAll('#main *')].filter(each =>
  each.children.length === 0 && each.textContent.trim() !== '' && each.checkVisibility() &&
  !each.closest('.two-lines, .links, pre, option') && each.getBoundingClientRect().width > 0).filter(each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect().right > innerWidth;
  }).map(each => each.textContent.slice(0, 40))`;

browserTest('on a phone, long texts of users stay in the window', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3);
  await sandbox.api('POST', '/partner/kyc-sessions', { externalUserId: long });
  const { headers } = await sandbox.api('POST', '/partner/cardholders', { [long]: 1, kycSource: 'web' });
  await sandbox.control('PUT', '/forwarding', {
    url: `http://127.0.0.1:9/${long}`,
    map: { [`https://${long.slice(0, 60)}.example`]: `http://127.0.0.1:9/${long}` },
    allowHttp: true,
  });
  const { page } = await openDashboard(sandbox, '', { device: 'phone' });
  for (const [hash, text] of [
    ['#/home', 'Webhooks are forwarded'],
    [`#/activity/${headers.get('x-sandbox-request')}`, 'Would have been accepted'],
    ['#/webhook-settings', 'Forwarded to'],
    [`#/${long}`, 'There is no page'],
  ] as const) {
    await goTo(page, hash);
    await waitForText(page, '#main', text);
    expect(await page.evaluate(TEXTS_BEYOND_WINDOW), hash.slice(0, 20)).toEqual([]);
  }
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
