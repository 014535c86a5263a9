import { expect } from 'vitest';
import { HOOKS, SECRET } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { fillIn, goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

browserTest('no key changes the sandbox without Shift, and Shift with the key does', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox);
  const clock = async () => (await sandbox.control('GET', '/clock')).body;
  const before = await clock();
  for (const key of ['1', '2', '3', '4', '5', 'z']) await page.locator('body').press(key);
  await page.keyboard.press('Shift+Digit3');
  await waitForText(page, '.clock-now', '10:00:30');
  const moved = await clock();
  expect(Date.parse(moved.now) - Date.parse(before.now)).toBe(30_000);
  expect(moved.mode).toBe(before.mode);
  await page.keyboard.press('Shift+KeyZ');
  await waitForText(page, '.clock-now', 'running');
  await page.keyboard.press('?');
  await waitForText(page, 'dialog', 'Advance 30 s');
});

browserTest('edited settings survive changes from elsewhere and leaving the page', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/settings');
  await fillIn(page, { 'Requests per minute': '77' });
  await expect.poll(() => page.locator('.unsaved').count()).toBe(1);

  await sandbox.control('PATCH', '/partners/partner_acme/settings', { lowThreshold: 5 });
  await waitForText(page, '.callout', 'Something else has changed these values');
  expect(await page.getByLabel('Requests per minute').inputValue()).toBe('77');

  await page.getByRole('link', { name: 'Cards', exact: true }).click();
  await waitForText(page, '.toast', 'Settings not saved');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect.poll(() => page.getByLabel('Requests per minute').inputValue()).toBe('77');

  await press(page, 'Show the saved values');
  await expect.poll(() => page.getByLabel('Low balance below').inputValue()).toBe('5');
  expect(await page.getByLabel('Requests per minute').inputValue()).not.toBe('77');
  await expect.poll(() => page.locator('.unsaved').count()).toBe(0);
});

browserTest('the browser asks before it leaves the dashboard with settings that are not saved', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/settings');
  const asked: string[] = [];
  page.on('dialog', dialog => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await fillIn(page, { 'Requests per minute': '77' });
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await fillIn(page, { 'Requests per minute': '78' });
  await press(page, 'Save settings');
  await waitForText(page, '.toast', 'Settings saved');
  await page.reload();
  expect(asked).toHaveLength(1);
});

browserTest('the webhook secret is masked until it is shown, and is copied while masked', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('PATCH', '/webhooks/config?partnerId=partner_acme', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
  });
  const { page } = await openDashboard(sandbox, '#/webhook-settings', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const field = page.locator('input[name=webhookSecret]');
  await expect.poll(() => field.inputValue()).toBe(SECRET);
  expect(await field.getAttribute('type')).toBe('password');
  expect(await page.locator('body').innerText()).not.toContain(SECRET);
  await press(page, 'Copy signing secret');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(SECRET);
  await press(page, 'Show signing secret');
  expect(await field.getAttribute('type')).toBe('text');
  await press(page, 'Hide signing secret');
  expect(await field.getAttribute('type')).toBe('password');
});

browserTest('equal toasts are one toast, and toasts cover nothing', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/faults');
  for (let times = 0; times < 3; times++) await page.getByRole('button', { name: /^Slow/ }).click();
  await waitForText(page, '.toast', '3 times');
  expect(await page.locator('.toast').count()).toBe(1);
  const overlap = await page.evaluate<boolean>(`(() => {
    const { top } = document.querySelector('.toasts').getBoundingClientRect();
    return top < document.getElementById('main').getBoundingClientRect().bottom;
  })()`);
  expect(overlap).toBe(false);
});

browserTest('a copy that the browser refuses is not called copied', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox);
  await page.evaluate(`
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    // Some browsers return true from a command that copies nothing.
    document.execCommand = () => true;`);
  await press(page, 'Copy a curl command');
  await waitForText(page, '.toast', 'The browser does not allow this page to copy');
  expect(await page.getByText('Copied').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.title')).toBe('Copy a curl command');
});

browserTest('leaving the settings without edits shows no warning', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/settings');
  const saved = await page.getByLabel('Requests per minute').inputValue();
  await fillIn(page, { 'Requests per minute': '77' });
  await fillIn(page, { 'Requests per minute': saved });
  await goTo(page, '#/cards');
  await waitForText(page, 'h1', 'Cards');
  expect(await page.locator('.toast').count()).toBe(0);
});
