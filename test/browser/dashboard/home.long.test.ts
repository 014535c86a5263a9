import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ALL_TYPES, fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, fillIn, goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

const TIMEOUT_MS = 120_000;

browserTest(
  'an empty world shows the first steps in order, and the curl command of each leads to the next',
  async () => {
    const sandbox = await startSandbox();
    const { page, consoleErrors } = await openDashboard(sandbox);
    const steps = page.locator('.first-steps li');
    await expect.poll(() => steps.count()).toBe(7);
    expect(await violations(page)).toEqual([]);
    expect(await steps.getByText('Copy as curl').count()).toBe(7);
    for (let step = 0; step < 7; step += 1) {
      await expect.poll(() => steps.nth(step).getAttribute('class')).toBe('next');
      const { stdout } = await promisify(execFile)('sh', [
        '-c',
        await steps.nth(step).locator('pre').innerText(),
      ]);
      expect(stdout).toMatch(/^HTTP\/1.1 20[01] /);
    }
    await expect.poll(() => steps.count()).toBe(0);
    await waitForText(page, '.section', 'Nothing waits for you.');
    expect(consoleErrors).toEqual([]);
  },
  TIMEOUT_MS,
);

browserTest(
  'an event shows its trace from the request to the attempts, and is retried',
  async () => {
    const { transport } = fakeReceiver(() => 500);
    const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
    await sandbox.control('PATCH', '/webhooks/config?partnerId=partner_acme', {
      webhookUrl: HOOKS,
      webhookSecret: SECRET,
      subscribedEvents: ALL_TYPES,
    });
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    const { page } = await openDashboard(sandbox, '#/cards/card_mia_active');
    await page.locator('.detail').getByRole('link', { name: 'webhooks' }).click();
    await page.locator('.row', { hasText: 'card.status.changed' }).click();
    await waitForText(page, '.attempts', '/v1/partner/cards/card_mia_active/freeze');
    await waitForText(page, '.attempts', 'answered 500');
    // The retry of the clock is the last that is due.
    await sandbox.control('POST', '/clock/advance', { duration: '24h' });
    await press(page, 'Retry now');
    await waitForText(page, '.toast.bad', 'Not delivered: answered 500');
    await goTo(page, '#/home');
    await waitForText(page, '.attention', 'card.status.changed');
  },
  TIMEOUT_MS,
);

browserTest('a record is opened by its id from any page', async () => {
  const { page } = await openDashboard(await startSandbox({ fixtures: ['starter'] }), '#/time');
  await page.keyboard.press('i');
  await page.getByLabel('Id', { exact: true }).fill('nothing');
  await page.keyboard.press('Enter');
  await waitForText(page, 'dialog .problem', 'Nothing in this world has the id nothing.');
  await page.getByLabel('Id', { exact: true }).fill('card_mia_active');
  await page.keyboard.press('Enter');
  await waitForText(page, '.detail h2', '4106');
});

browserTest('fault counters are live, and Home shows what differs from the start', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '#/faults');
  await page.getByRole('button', { name: /^Unavailable/ }).click();
  for (let hits = 1; hits <= 3; hits += 1) {
    const headers = { 'x-service-api-key': ACME_KEY };
    expect((await fetch(`${sandbox.origin}/v1/partner/balance`, { headers })).status).toBe(503);
    await waitForText(page, '.faults', hits === 3 ? 'used up after 3 times' : `3 times, ${hits} so far`);
  }
  expect(await page.locator('.faults .spent').count()).toBe(1);

  await goTo(page, '#/home');
  await sandbox.control('POST', '/clock/resume');
  await sandbox.control('POST', '/partners', { name: 'Hasty' });
  await waitForText(page, '.differences', 'The clock runs; it started frozen.');
  await waitForText(page, '.differences', 'The partner Hasty was added.');
});

browserTest('a fault is set by a form', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/faults');
  await press(page, 'Set a fault');
  await fillIn(page, { 'Response status': '418', Path: '/partner/balance', 'How many times': '2' });
  await confirm(page, 'Set fault');
  await waitForText(page, '.faults', 'status 418 · on /partner/balance · 2 times, 0 so far');
  await press(page, 'Set a fault');
  await fillIn(page, { Of: '/webhook-faults' });
  await fillIn(page, { Kind: 'delay', Event: 'card.issued', 'Delay in ms': '3000' });
  await confirm(page, 'Set fault');
  await waitForText(page, '.faults', 'webhook: delay · 3 s late · on card.issued · until removed, 0 so far');
  for (const left of [1, 0]) {
    await page.locator('.faults li').last().getByRole('button').click();
    await expect.poll(() => page.locator('.faults li').count()).toBe(left);
  }
  await page.getByRole('button', { name: /^Slow/ }).click();
  await page
    .getByRole('button', { name: /^Drop\b/ })
    .last()
    .click();
  await expect.poll(() => page.locator('.faults li').count()).toBe(2);
  await press(page, 'Clear all');
  await expect.poll(() => page.locator('.faults li').count()).toBe(0);
  await press(page, 'Undo');
  await waitForText(page, '.faults', '2 s late · until removed, 0 so far');
  await waitForText(page, '.faults', 'webhook: drop · 1 time, 0 so far');
});
