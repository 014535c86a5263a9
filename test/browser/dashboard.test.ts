import { expect } from 'vitest';
import { ALL_TYPES, fakeReceiver, HOOKS, SECRET } from '../support/receiver.ts';
import { newCardholder, startSandbox } from '../support/sandbox.ts';
import { browserTest, openPage } from './support/browser.ts';
import { confirm, fillIn, goTo, openDashboard, press, says } from './support/dashboard.ts';

browserTest('the whole story of a corrected KYC is played by clicking', async () => {
  const sandbox = await startSandbox();
  const { page, scriptErrors } = await openDashboard(sandbox, '#/tokens');
  await press(page, 'Mint token');
  await fillIn(page, { 'First name': 'Zoe', 'Last name': 'Lefevbre', City: 'Lyon' });
  await confirm(page, 'Mint token');
  await says(page, '.detail h2', 'Zoe Lefevbre');

  await press(page, 'Create cardholder');
  await fillIn(page, { 'External user id': 'user-zoe', 'E-mail': 'zoe@example.com' });
  await confirm(page, 'Create cardholder');
  await says(page, '.detail h2', 'Zoe Lefevbre');
  await says(page, '.detail .badge', 'KYC not submitted');
  await says(page, '.detail .facts', 'Lyon');

  await goTo(page, '#/tokens');
  await press(page, 'Mint token');
  await fillIn(page, { 'First name': 'Zoe', 'Last name': 'Lefebvre' });
  await confirm(page, 'Mint token');
  await page.getByRole('link', { name: 'Cardholders', exact: true }).click();
  await page.locator('.row').first().click();
  await press(page, 'Re-import');
  await confirm(page, 'Re-import');
  await says(page, '.detail h2', 'Zoe Lefebvre');

  await press(page, 'Submit KYC');
  await confirm(page, 'Submit KYC');
  await says(page, '.detail .badge', 'KYC in flight');
  await says(page, '.callout', 'provider_submitted');

  await press(page, 'Re-import');
  await fillIn(page, { 'Share token': 'idp1_test_approve_again' });
  await confirm(page, 'Re-import');
  await says(page, 'dialog .problem', 'cannot be re-imported: its KYC was submitted');
  await confirm(page, 'Cancel');

  await press(page, 'Advance 1 m');
  await says(page, '.detail .badge', 'KYC approved');
  await press(page, 'Issue card');
  await confirm(page, 'Issue card');
  await says(page, '.detail .badge', 'created');
  await page.locator('.detail a', { hasText: 'Zoe Lefebvre' }).click();
  await says(page, '.callout', 'card_issued');
  await says(page, '.timeline', 'KYC approved');
  expect(scriptErrors).toEqual([]);
});

browserTest('a failing webhook is watched through its ladder, and retried by hand', async () => {
  let status = 500;
  const { transport } = fakeReceiver(() => status);
  const sandbox = await startSandbox({ retrySpeed: 1 }, { transport });
  const { page } = await openDashboard(sandbox, '#/settings');
  await fillIn(page, { URL: HOOKS, 'Signing secret': SECRET });
  await press(page, 'Select all');
  await press(page, 'Save webhooks');
  await says(page, '.toast', 'saved');
  expect((await sandbox.control('GET', '/webhooks/config')).body.subscribedEvents).toHaveLength(
    ALL_TYPES.length,
  );

  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.locator('.row').first().click();
  const rungs = page.locator('.retry-schedule li');
  await expect.poll(() => rungs.nth(0).getAttribute('class')).toBe('bad');
  for (const [index, step] of ['1 m', '5 m', '30 m', '2 h', '24 h'].entries()) {
    expect(await rungs.nth(index + 1).getAttribute('class')).toBe('next');
    await press(page, `Advance ${step}`);
    await expect.poll(() => rungs.nth(index + 1).getAttribute('class')).toBe('bad');
  }
  await says(page, '.detail-head .badge', 'failed');
  await says(page, '.menu-count', '1');

  status = 200;
  await press(page, 'Retry now');
  await says(page, '.detail-head .badge', 'delivered');
  expect(await page.locator('.attempts > li').count()).toBe(7);
});

browserTest('what partners do shows up without a reload, a reset too', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/cardholders');
  await says(page, '.empty', 'No cardholders yet');
  const { body: made } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await says(page, '.row', `${made.firstName} ${made.lastName}`);

  await sandbox.control('POST', '/clock/freeze', { at: '2027-01-01T00:00:00Z' });
  await says(page, '.clock-now', '2027-01-01 00:00:00');
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await sandbox.api('GET', '/partner/cards/card_nobody');
  await page.locator('.row', { hasText: 'card_nobody' }).click();
  await says(page, '.callout', 'unknown-id');

  await press(page, 'Reset');
  await confirm(page, 'Reset');
  await says(page, '.clock-now', '2026-03-15');
  await expect.poll(() => page.locator('.row').count()).toBe(0);
});

browserTest('settings are applied to the next request, and what is refused says why', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '#/settings');
  await fillIn(page, { 'IP allow-list': '10.0.0.1' });
  await press(page, 'Save settings');
  await says(page, '.problem', 'ipAllowList');
  await fillIn(page, {
    'IP allow-list': '203.0.113.7\n',
    'Allowed origins': 'https://app.example',
    'Alert below': '12.5',
  });
  await press(page, 'Save settings');
  await says(page, '.toast', 'saved');
  expect((await sandbox.api('GET', '/partner/cards')).status).toBe(401);
  expect((await sandbox.control('GET', '/partners/partner_acme/settings')).body).toMatchObject({
    ipAllowList: ['203.0.113.7'],
    allowedOrigins: ['https://app.example'],
    alertThreshold: 12.5,
  });

  await press(page, 'Rotate key');
  await confirm(page, 'Rotate key');
  await says(page, '.toast', 'The old key is valid until');
  const [{ apiKey }] = (await sandbox.control('GET', '/partners')).body;
  await page.getByRole('button', { name: 'Show API key' }).last().click();
  await says(page, '.section .secret', apiKey);
});

browserTest('a card is spent with, settled, frozen and revealed', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page, consoleErrors } = await openDashboard(sandbox, '#/cards/card_mia_active');
  await press(page, 'Authorize');
  await fillIn(page, { 'Amount in EUR': '40', Merchant: 'City Bikes' });
  await confirm(page, 'Authorize');
  await says(page, '.detail-head', '€40.00');
  await press(page, 'Settle');
  await fillIn(page, { 'Amount in EUR': '30' });
  await confirm(page, 'Settle');
  await says(page, '.detail-head .badge', 'settled');
  await page.locator('.detail a', { hasText: '••••' }).click();
  await says(page, '.detail .links', 'City Bikes');

  await press(page, 'Freeze card');
  await says(page, '.detail-head .badge', 'frozen');
  await press(page, 'Reveal');
  await says(page, 'dialog', 'Card details');
  const shown = page.frameLocator('iframe').locator('.reveal-number');
  expect(await shown.textContent()).toMatch(/^4242 42/);
  expect(consoleErrors).toEqual([]);
});

browserTest(
  'beyond loopback the page asks for the control token once, or takes it from the address',
  async () => {
    const sandbox = await startSandbox({}, {}, { host: '0.0.0.0', controlToken: 'open sesame' });
    const { page } = await openDashboard(sandbox, '#token=open%20sesame');
    expect(page.url()).not.toContain('sesame');
    await says(page, 'h1', 'Acme');
    await page.reload();
    await says(page, 'h1', 'Acme');

    const asked = (await openPage({ url: `${sandbox.origin}/dashboard` })).page;
    await says(asked, 'dialog h2', 'Control token');
    await asked.getByRole('textbox', { name: 'Token' }).fill('open sesame');
    await asked.getByRole('button', { name: 'Open the dashboard' }).click();
    await says(asked, 'h1', 'Acme');
  },
);
