import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ALL_TYPES, fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

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
    await waitForText(page, '.activity', '12.50');
    expect(consoleErrors).toEqual([]);
  },
  TIMEOUT_MS,
);

browserTest(
  'a record opens over any page with its requests, events and deliveries, and an event shows its trace',
  async () => {
    const { transport } = fakeReceiver(() => 500);
    const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
    await sandbox.control('PATCH', '/webhooks/config?partnerId=partner_acme', {
      webhookUrl: HOOKS,
      webhookSecret: SECRET,
      subscribedEvents: ALL_TYPES,
    });
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    const { page } = await openDashboard(sandbox, '#/time');
    await page.keyboard.press('i');
    await page.getByLabel('Id', { exact: true }).fill('card_mia_active');
    await page.keyboard.press('Enter');
    await waitForText(page, '.inspector h2', '4106');
    await waitForText(page, '.inspector .changes', 'cards.freeze');
    await waitForText(page, 'h1', 'Time');
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.locator('.inspector a', { hasText: 'card.status.changed' }).click();
    await waitForText(page, '.inspector .attempts', '/v1/partner/cards/card_mia_active/freeze');
    await waitForText(page, '.inspector .attempts', 'answered 500');
    // The retry of the clock is the last that is due.
    await sandbox.control('POST', '/clock/advance', { duration: '24h' });
    await press(page, 'Retry now');
    await waitForText(page, '.toast.bad', 'Not delivered: answered 500');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.inspector').count()).toBe(0);
    expect(page.url()).toMatch(/#\/time$/);
  },
  TIMEOUT_MS,
);

browserTest(
  'refusals are grouped and say what would have passed, fault counters are live, and the overview tells the differences',
  async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    for (const id of ['card_a', 'card_b']) await sandbox.api('GET', `/partner/cards/${id}`);
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    const { page } = await openDashboard(sandbox, '#/requests');
    await press(page, 'Group errors');
    await expect
      .poll(() => page.locator('.row').allTextContents())
      .toEqual([expect.stringMatching(/^404no card with id "card_b"cards\.get2/)]);
    await page.locator('.row').click();
    await waitForText(
      page,
      '.callout.bad',
      'Would have been accepted: the id of a record of the same partner',
    );
    await page.getByRole('link', { name: '2 requests with this refusal' }).click();
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    expect(page.url()).toContain('same=req_');

    await goTo(page, '#/faults');
    await page.getByRole('button', { name: /^Unavailable/ }).click();
    for (let hits = 1; hits <= 3; hits += 1) {
      const headers = { 'x-service-api-key': ACME_KEY };
      expect((await fetch(`${sandbox.origin}/v1/partner/balance`, { headers })).status).toBe(503);
      await waitForText(page, '.faults', hits === 3 ? 'used up after 3 times' : `3 times, ${hits} so far`);
    }
    expect(await page.locator('.faults .spent').count()).toBe(1);

    await goTo(page, '#/overview');
    await sandbox.control('POST', '/clock/resume');
    await sandbox.control('POST', '/partners', { name: 'Hasty' });
    await waitForText(page, '.differences', 'The clock runs; it started frozen.');
    await waitForText(page, '.differences', 'The partner Hasty was added.');
  },
  TIMEOUT_MS,
);
