import { describe, expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';

import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';
import { overflow, SIZES, violationsBelowBar } from '../support/sizes.ts';

describe.each(SIZES)('at %s', (_size, options) => {
  browserTest('a request shows its headers, and each changed record before and after', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const { headers } = await sandbox.api('POST', '/partner/cards/card_mia_active/freeze', undefined, {
      'x-trace': 'abc',
    });
    const { page } = await openDashboard(sandbox, `#/requests/${headers.get('x-sandbox-request')}`, options);
    await page.getByText('Request headers').click();
    await waitForText(page, '.header-list .facts', 'abc');
    expect(await page.locator('.header-list').first().textContent()).toContain('x-service-api-key***');
    await page.getByText('Response headers').click();
    await waitForText(page, '.header-list .facts', 'x-ratelimit-remaining');
    const change = page.locator('.changes tr').filter({ hasText: 'status' });
    expect(await change.locator('td').allTextContents()).toEqual(['active', 'frozen']);
    expect(await violationsBelowBar(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);

    await goTo(page, '#/cards/card_mia_active');
    await page.locator('.changes summary').filter({ hasText: 'cards.freeze' }).click();
    await waitForText(page, '.changed-members', 'frozen');
    await page.getByRole('link', { name: 'Open the request' }).click();
    await waitForText(page, 'h2', 'card_mia_active/freeze');

    // The stream leaves the headers of a new request out.
    await goTo(page, '#/requests');
    await sandbox.api('GET', '/partner/balance', undefined, { 'x-trace': 'def' });
    await page.locator('.row').filter({ hasText: '/v1/partner/balance' }).click();
    await page.getByText('Request headers').click();
    await waitForText(page, '.header-list .facts', 'def');
  });

  browserTest('requests are filtered by operation, status, partner and time, and live', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    await sandbox.control('POST', '/clock/advance', { duration: '1m' });
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    await sandbox.globex('GET', '/partner/balance');
    const { page } = await openDashboard(sandbox, '#/requests', options);
    const shown = () => page.locator('.row').allTextContents();
    await expect.poll(shown).toHaveLength(2);
    // Where there is no room for them in the row, they are folded.
    const openFilters = async () => {
      const fold = page.getByRole('button', { name: /^Filters/ });
      if (await fold.isVisible()) await fold.click();
    };
    await openFilters();

    await page.getByLabel('Operation').selectOption('cards.freeze');
    await page.getByLabel('Status').selectOption('4xx');
    await expect.poll(shown).toEqual([expect.stringContaining('400')]);
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    await expect.poll(shown).toHaveLength(2);
    await page.getByLabel('Status').selectOption('200');
    await expect.poll(shown).toEqual([expect.stringContaining('200')]);
    await page.reload();
    await expect.poll(shown).toEqual([expect.stringContaining('200')]);
    await openFilters();
    expect(await page.getByLabel('Status').inputValue()).toBe('200');
    expect(await page.getByLabel('Operation').inputValue()).toBe('cards.freeze');
    await page.getByLabel('From', { exact: true }).fill('2026-03-15 10:00:30');
    await waitForText(page, 'h2', 'No request matches the filters');
    await press(page, 'Clear filters');
    await expect.poll(shown).toHaveLength(3);
    await page.getByLabel('Requests of').selectOption({ label: 'Globex' });
    await expect.poll(shown).toEqual([expect.stringContaining('/v1/partner/balance')]);
    await page.getByLabel('Requests of').selectOption('all');
    await page.getByLabel('To', { exact: true }).fill('2026-03-15T10:00:30');
    await expect.poll(shown).toEqual([expect.stringContaining('cards.freeze')]);
    expect(await violationsBelowBar(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
});
