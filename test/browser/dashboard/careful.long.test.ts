import { expect } from 'vitest';
import { HOOKS, SECRET } from '../../support/receiver.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, fillIn, openDashboard, press, waitForText } from '../support/dashboard.ts';

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
  // On a German keyboard, Z is where others have Y.
  for (const [key, code] of [
    ['Y', 'KeyZ'],
    ['Z', 'KeyY'],
  ])
    await page.locator('body').dispatchEvent('keydown', { key, code, shiftKey: true, bubbles: true });
  await waitForText(page, '.clock-now', 'frozen');
  await page.keyboard.press('?');
  await waitForText(page, 'dialog', 'Advance 30 s');
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
  const shown = () => page.locator('.section .secret code').textContent();
  await expect.poll(shown).toMatch(/^•+$/);
  expect(await page.locator('body').innerText()).not.toContain(SECRET);
  await press(page, 'Copy signing secret');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(SECRET);
  await press(page, 'Show signing secret');
  expect(await shown()).toBe(SECRET);
  await press(page, 'Hide signing secret');
  expect(await shown()).not.toBe(SECRET);
  // A form does not show it either, and keeps it.
  await press(page, 'Edit configuration');
  await fillIn(page, { URL: `${HOOKS}/other` });
  await confirm(page, 'Save');
  await waitForText(page, '.facts', `${HOOKS}/other`);
  expect((await sandbox.control('GET', '/webhooks/config')).body.webhookSecret).toBe(SECRET);
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
