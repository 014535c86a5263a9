import { expect } from 'vitest';
import { ALL_TYPES, fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, fillIn, goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

browserTest('a corrected KYC is re-imported, submitted and followed by a card, by clicking', async () => {
  const sandbox = await startSandbox();
  const { page, scriptErrors } = await openDashboard(sandbox, '#/share-tokens');
  await press(page, 'Issue share token');
  await fillIn(page, { 'First name': 'Zoe', 'Last name': 'Lefevbre', City: 'Lyon' });
  await confirm(page, 'Issue share token');
  await waitForText(page, '.detail h2', 'Zoe Lefevbre');

  await press(page, 'Create cardholder');
  await fillIn(page, { 'External user id': 'user-zoe', 'E-mail': 'zoe@example.com' });
  await confirm(page, 'Create cardholder');
  await waitForText(page, '.detail h2', 'Zoe Lefevbre');
  await waitForText(page, '.detail .badge', 'KYC not submitted');
  await waitForText(page, '.detail .facts', 'Lyon');

  await goTo(page, '#/share-tokens');
  await press(page, 'Issue share token');
  await fillIn(page, { 'First name': 'Zoe', 'Last name': 'Lefebvre' });
  await confirm(page, 'Issue share token');
  await page.locator('.tabs').getByRole('link', { name: 'Cardholders' }).click();
  // Until then the first row is a token.
  await waitForText(page, 'h1', 'Cardholders');
  await page.locator('.row').first().click();
  await press(page, 'Re-import');
  const offered = page.getByLabel('Share token').locator('option').nth(1);
  await expect.poll(() => offered.textContent()).toMatch(/^Zoe Lefebvre: /);
  await page.getByLabel('Share token').selectOption({ index: 1 });
  await confirm(page, 'Re-import');
  await waitForText(page, '.detail h2', 'Zoe Lefebvre');

  await press(page, 'Submit KYC');
  await confirm(page, 'Submit KYC');
  await waitForText(page, '.detail .badge', 'KYC in flight');
  await waitForText(page, '.callout', 'provider_submitted');

  await press(page, 'Re-import');
  await confirm(page, 'Re-import');
  await waitForText(page, 'dialog .problem', 'cannot be re-imported: its KYC was submitted');
  await confirm(page, 'Cancel');

  await press(page, 'Advance 2 m');
  await waitForText(page, '.detail .badge', 'KYC approved');
  await press(page, 'Issue card');
  await confirm(page, 'Issue card');
  await waitForText(page, '.detail .badge', 'created');
  await page.locator('.detail a', { hasText: 'Zoe Lefebvre' }).click();
  await waitForText(page, '.callout', 'card_issued');
  await page.locator('.detail').getByRole('link', { name: 'Requests' }).click();
  await waitForText(page, '.row', '/kyc');
  expect(scriptErrors).toEqual([]);
});

browserTest('a failing webhook is followed through its retries and retried by hand', async () => {
  let status = 500;
  const { transport } = fakeReceiver(() => status);
  const sandbox = await startSandbox({ retrySpeed: 1 }, { transport });
  const { page } = await openDashboard(sandbox, '#/webhook-settings');
  await press(page, 'Edit configuration');
  await fillIn(page, { URL: HOOKS, 'Signing secret': SECRET });
  await confirm(page, 'Select all');
  await confirm(page, 'Save');
  await waitForText(page, '.facts', HOOKS);
  expect((await sandbox.control('GET', '/webhooks/config')).body.subscribedEvents).toHaveLength(
    ALL_TYPES.length,
  );

  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.locator('.row').first().click();
  const attempts = page.locator('.attempts > li:not(.trace-step)');
  for (const [index, step] of ['1 m', '5 m', '30 m', '2 h', '24 h'].entries()) {
    await expect.poll(() => attempts.count()).toBe(index + 1);
    await waitForText(page, '.detail .note', `Next attempt in ${step}`);
    await press(page, `Advance ${step}`);
  }
  await waitForText(page, '.detail-head .badge', 'failed');
  await waitForText(page, '.menu-count', '1');

  status = 200;
  await press(page, 'Retry now');
  await waitForText(page, '.detail-head .badge', 'delivered');
  expect(await attempts.count()).toBe(7);
});

browserTest('API requests, clock moves and a reset show up without a reload', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/cardholders');
  await waitForText(page, '.empty', 'No cardholders yet');
  const { body: created } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await waitForText(page, '.row', `${created.firstName} ${created.lastName}`);

  await sandbox.control('POST', '/clock/freeze', { at: '2027-01-01T00:00:00Z' });
  await waitForText(page, '.clock-now', '2027-01-01 00:00:00');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await sandbox.api('GET', '/partner/cards/card_nobody');
  await page.locator('.row', { hasText: 'card_nobody' }).click();
  await waitForText(page, '.callout', 'unknown-id');

  await press(page, 'Reset');
  await confirm(page, 'Reset');
  await waitForText(page, '.clock-now', '2026-03-15');
  await expect.poll(() => page.locator('.row').count()).toBe(0);
});

browserTest('saved settings apply to the next request, and invalid ones show the reason', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/settings');
  await press(page, 'Edit settings');
  await fillIn(page, { 'IP allow-list': '10.0.0.1' });
  await confirm(page, 'Save');
  await waitForText(page, '.problem', 'ipAllowList');
  await fillIn(page, {
    'IP allow-list': '203.0.113.7\n',
    'Allowed origins': 'https://app.example',
    'Alert below': '12.5',
  });
  await confirm(page, 'Save');
  await waitForText(page, '.facts', '203.0.113.7');
  expect((await sandbox.api('GET', '/partner/cards')).status).toBe(401);
  expect((await sandbox.control('GET', '/partners/partner_acme/settings')).body).toMatchObject({
    ipAllowList: ['203.0.113.7'],
    allowedOrigins: ['https://app.example'],
    alertThreshold: 12.5,
  });

  await press(page, 'Rotate key');
  await confirm(page, 'Rotate key');
  await waitForText(page, '.toast', 'The old key is valid until');
  const [{ apiKey }] = (await sandbox.control('GET', '/partners')).body;
  await page.getByRole('button', { name: 'Show API key' }).last().click();
  await waitForText(page, '.section .secret', apiKey);
});

browserTest('beyond loopback the page takes the control token from the address, and keeps it', async () => {
  const sandbox = await startSandbox({}, {}, { host: '0.0.0.0', controlToken: 'open sesame' });
  const { page } = await openDashboard(sandbox, '#token=open%20sesame');
  expect(page.url()).not.toContain('sesame');
  await waitForText(page, 'h1', 'Acme');
  await page.reload();
  await waitForText(page, 'h1', 'Acme');
});
