import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ACME_KEY, newCardholder, startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

const TIMEOUT_MS = 60_000;
const MAX_TABS = 60;

const FOCUSED_NAME = `(() => {
  const { activeElement } = document;
  return activeElement.getAttribute('aria-label') ?? activeElement.textContent.trim();
})()`;

/** Presses Tab until the element with this name has the focus, then Enter. */
async function activate(page: Page, name: string): Promise<void> {
  // The record that has the button may not be loaded.
  await page.getByRole('button', { name, exact: true }).first().waitFor();
  const names: string[] = [];
  for (let count = 0; count < MAX_TABS; count += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(FOCUSED_NAME);
    names.push(focused);
    if (focused !== name) continue;
    await page.keyboard.press('Enter');
    return;
  }
  expect(names).toContain(name);
}

/** Submits the form with this title by Enter, as it opens. */
async function submitForm(page: Page, title: string): Promise<void> {
  await waitForText(page, 'dialog h2', title);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('dialog h2', { hasText: title }).count()).toBe(0);
}

/** Waits until the open record has the focus. */
async function focusIsOn(page: Page, label: string): Promise<void> {
  await expect.poll(() => page.evaluate<string>(FOCUSED_NAME)).toBe(label);
}

for (const fixture of ['empty', 'starter']) {
  browserTest(
    `from the world ${fixture} a cardholder, card, payment and 3DS challenge are made by keyboard, with the forms as they open`,
    async () => {
      const sandbox = await startSandbox({ fixtures: [fixture] });
      const { page, scriptErrors } = await openDashboard(sandbox, '#/cardholders');
      await waitForText(page, 'h1', 'Cardholders');
      await activate(page, 'Create cardholder');
      await submitForm(page, 'Create a cardholder');
      await focusIsOn(page, 'Selected cardholder');
      await waitForText(page, '.detail .badge', 'KYC not submitted');

      await activate(page, 'Submit KYC');
      await submitForm(page, 'Submit KYC');
      await waitForText(page, '.detail .badge', 'KYC in flight');
      await sandbox.control('POST', '/clock/advance', { duration: '1m' });
      await waitForText(page, '.detail .badge', 'KYC approved');

      await activate(page, 'Issue card');
      await submitForm(page, 'Issue a card');
      await focusIsOn(page, 'Selected card');
      await activate(page, 'Activate');
      await waitForText(page, '.detail .badge', 'active');
      const card = await page.evaluate<string>('location.hash');

      await activate(page, 'Authorize');
      await submitForm(page, 'Authorize a transaction');
      await focusIsOn(page, 'Selected transaction');
      await waitForText(page, '.detail .badge', 'authorized');

      await goTo(page, card);
      await waitForText(page, '.detail .actions', '3DS');
      await activate(page, '3DS');
      await submitForm(page, 'Verify the passcode');
      await waitForText(page, '.toast', 'Challenge approved');
      expect(scriptErrors).toEqual([]);
    },
    TIMEOUT_MS,
  );
}

browserTest(
  'a copied curl command replays in the names of the partner, with a new share token in place of the used one',
  async () => {
    const names = { service: 'acme', idp1: 'checkly' };
    const sandbox = await startSandbox({ names });
    const checklyShareToken = 'checkly_test_approve_first';
    const { idp1ShareToken: _, ...body } = newCardholder();
    const created = await fetch(`${sandbox.origin}/v1/partner/cardholders`, {
      method: 'POST',
      headers: { 'x-acme-api-key': ACME_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, kycSource: 'checkly', checklyShareToken }),
    });
    expect(created.status).toBe(201);
    const { page } = await openDashboard(sandbox, '#/activity', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.row').first().click();
    await press(page, 'Copy as curl');
    await waitForText(page, '.detail', 'Copied');
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`'x-acme-api-key: ${ACME_KEY}'`);
    expect(command).toMatch(/"checklyShareToken":"checkly_test_approve_\w+"/);
    expect(command).not.toContain(checklyShareToken);
    // The same external id is re-imported.
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(stdout).toMatch(/^HTTP\/1.1 20[01] /);
  },
  TIMEOUT_MS,
);
