import { describe, expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

describe.each(['desktop', 'phone'] as const)('on a %s', device => {
  browserTest('a request shows its headers, and each changed record before and after', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const { headers } = await sandbox.api('POST', '/partner/cards/card_mia_active/freeze', undefined, {
      'x-trace': 'abc',
    });
    const { page } = await openDashboard(sandbox, `#/activity/${headers.get('x-sandbox-request')}`, {
      device,
    });
    await page.getByText('Request headers').click();
    await waitForText(page, '.header-list .facts', 'abc');
    expect(await page.locator('.header-list').first().textContent()).toContain('x-service-api-key***');
    await page.getByText('Response headers').click();
    await waitForText(page, '.header-list .facts', 'x-ratelimit-remaining');
    const change = page.locator('.changes tr').filter({ hasText: 'status' });
    expect(await change.locator('td').allTextContents()).toEqual(['active', 'frozen']);

    await goTo(page, '#/cards/card_mia_active');
    await page.locator('.detail').getByRole('link', { name: 'Requests' }).click();
    await waitForText(page, '.row', 'card_mia_active/freeze');

    // The stream leaves the headers of a new request out.
    await goTo(page, '#/activity');
    await sandbox.api('GET', '/partner/balance', undefined, { 'x-trace': 'def' });
    await page.locator('.row').filter({ hasText: '/v1/partner/balance' }).click();
    await page.getByText('Request headers').click();
    await waitForText(page, '.header-list .facts', 'def');
  });

  browserTest('requests are filtered by operation, status and partner, live and in the address', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    await sandbox.globex('GET', '/partner/cards?status=active');
    const { page } = await openDashboard(sandbox, '#/activity', { device });
    const shown = () => page.locator('.row').allTextContents();
    await expect.poll(shown).toHaveLength(2);

    await page.getByLabel('Operation').selectOption('cards.freeze');
    await page.getByLabel('Status').selectOption('4xx');
    await expect.poll(shown).toEqual([expect.stringContaining('400')]);
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    await expect.poll(shown).toHaveLength(2);
    await page.getByLabel('Status').selectOption('200');
    await expect.poll(shown).toEqual([expect.stringContaining('200')]);
    await page.reload();
    await expect.poll(shown).toEqual([expect.stringContaining('200')]);
    expect(await page.getByLabel('Status').inputValue()).toBe('200');
    expect(await page.getByLabel('Operation').inputValue()).toBe('cards.freeze');
    await page.getByLabel('Status').selectOption('5xx');
    await waitForText(page, 'h2', 'No request matches the filters');
    await press(page, 'Clear filters');
    await expect.poll(shown).toHaveLength(3);
    await press(page, 'All partners');
    await expect.poll(shown).toContainEqual(expect.stringContaining('/v1/partner/cards?status=active'));
  });
});

browserTest('a row that is pressed stays where it is until it is released', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.api('GET', '/partner/balance');
  const { page } = await openDashboard(sandbox, '#/activity');
  await page.locator('.row').hover();
  await page.mouse.down();
  await sandbox.api('GET', '/partner/cards');
  await waitForText(page, '.tally', '2');
  expect(await page.locator('.row code').allTextContents()).toEqual(['/v1/partner/balance']);
  await page.mouse.up();
  await waitForText(page, '.detail h2', '/v1/partner/balance');
  await expect.poll(() => page.locator('.row code').allTextContents()).toHaveLength(2);
});

browserTest(
  'control calls are behind a toggle, live, and the world goes back to before any entry',
  async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    await sandbox.api('GET', '/partner/balance');
    const { page } = await openDashboard(sandbox, '#/activity');
    await waitForText(page, '.row', '/v1/partner/balance');
    await press(page, 'Control calls');
    await sandbox.control('POST', '/clock/advance', { duration: '1h' });
    await waitForText(page, '.row', '/_sandbox/clock/advance');
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    await waitForText(page, '.row', 'card_mia_active/freeze');
    const shown = () => page.locator('.row code').allTextContents();
    await expect
      .poll(shown)
      .toEqual([
        '/v1/partner/cards/card_mia_active/freeze',
        '/_sandbox/clock/advance',
        '/v1/partner/balance',
      ]);

    await page.locator('.row').filter({ hasText: 'clock/advance' }).click();
    // An open call stays open without the toggle, and has an address.
    await press(page, 'Control calls');
    await expect.poll(shown).not.toContain('/_sandbox/clock/advance');
    await page.reload();
    await waitForText(page, '.detail h2', 'clock/advance');
    await press(page, 'Go back to before this');
    await waitForText(page, 'dialog[open]', 'Undoes 2 entries');
    await confirm(page, 'Undo 2 entries');
    await waitForText(page, '.toast', 'Undid 2 entries');
    expect((await sandbox.api('GET', '/partner/cards/card_mia_active')).body.status).toBe('active');
    expect((await sandbox.control('GET', '/clock')).body.now).toBe('2026-03-15T10:00:00.000Z');

    // An API request is an entry too, whether control calls are shown or not.
    await expect.poll(shown).toEqual(['/v1/partner/cards/card_mia_active', '/v1/partner/balance']);
    await page.locator('.row').filter({ hasText: '/v1/partner/balance' }).click();
    await press(page, 'Go back to before this');
    await confirm(page, 'Undo 2 entries');
    await waitForText(page, '.empty', 'No requests yet');
  },
);

browserTest(
  'refusals are grouped, show the decision behind them and say what would have passed',
  async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    for (const id of ['card_a', 'card_b']) await sandbox.api('GET', `/partner/cards/${id}`);
    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    const { page } = await openDashboard(sandbox, '#/activity');
    await press(page, 'Group errors');
    await expect
      .poll(() => page.locator('.row').allTextContents())
      .toEqual([expect.stringMatching(/^404no card with id …cards\.get2/)]);
    expect(await page.getByRole('button', { name: 'Group errors' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await page.locator('.row').click();
    await waitForText(
      page,
      '.callout.bad',
      'Would have been accepted: the id of a record of the same partner',
    );
    await waitForText(page, '.rule', 'unknown-id, where section');
    await page.getByRole('link', { name: '2 requests with this refusal' }).click();
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    expect(page.url()).toContain('same=req_');
  },
);
