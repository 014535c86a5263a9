import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startSandbox, type TestSandbox } from '../support/sandbox.ts';
import { violations } from './support/accessibility.ts';
import { browserTest, openPage } from './support/browser.ts';
import { framing, startSite } from './support/site.ts';

async function opened({ api }: TestSandbox, body: Record<string, unknown> = {}) {
  const session = (await api('POST', '/partner/kyc-sessions', body)).body;
  const status = async () => (await api('GET', `/partner/kyc-sessions/${session.id}`)).body.status;
  return { id: session.id as string, url: session.url as string, status };
}

const press = (page: Page, name: 'Approve' | 'Reject') => page.getByRole('button', { name }).click();

browserTest('on a phone a person changes the details, approves, and returns to the app', async () => {
  const sandbox = await startSandbox();
  const site = await startSite({ '/done': '<title>App</title>' });
  const { id, url, status } = await opened(sandbox, { redirectUrl: `${site.origin}/done?from=kyc` });
  const { page, consoleErrors } = await openPage({ url, device: 'phone' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await page.getByLabel('First name').inputValue()).not.toBe('');
  const decision = page.getByRole('region', { name: 'Only in the sandbox: decide the result' });
  expect(await decision.getByRole('button').allTextContents()).toEqual(['Approve', 'Reject']);
  await page.getByLabel('First name').fill('Mia');
  await page.getByLabel('Last name').fill('Wong');
  await page.getByRole('button', { name: 'Approve' }).tap();
  await page.waitForURL(`${site.origin}/done?from=kyc&kycSessionId=${id}&status=approved`);
  expect(await status()).toBe('approved');
  expect(consoleErrors).toEqual([]);
});

browserTest('on a phone a person rejects, and without a redirect URL the page shows the result', async () => {
  const sandbox = await startSandbox();
  const { url, status } = await opened(sandbox);
  const { page } = await openPage({ url, device: 'phone', javaScriptEnabled: false });
  await press(page, 'Reject');
  await page.getByRole('heading', { name: 'We could not confirm your identity' }).waitFor();
  expect(await page.locator('.kyc-footer').innerText()).toContain('rejected');
  expect(page.url()).toBe(url);
  expect(await status()).toBe('rejected');
});

browserTest('Enter approves, and an invalid country shows an error at its field', async () => {
  const sandbox = await startSandbox();
  const { url, status } = await opened(sandbox);
  const { page } = await openPage({ url });
  const country = page.getByLabel('Country code');
  await country.fill('Germany');
  await country.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await country.inputValue()).toBe('Germany');
  expect(await country.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#residenceCountryCode-error').textContent()).toContain('such as DE');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('alert').getByRole('link').click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('residenceCountryCode');
  await country.fill('de');
  await press(page, 'Approve');
  await page.getByRole('heading', { name: 'Identity confirmed' }).waitFor();
  expect(await status()).toBe('approved');
});

browserTest('an allowed origin can show the page in a frame, another cannot', async () => {
  const sandbox = await startSandbox();
  const [mine, other] = [await startSite(), await startSite()];
  await sandbox.control('PATCH', '/partners/partner_acme/settings', { allowedOrigins: [mine.origin] });
  const { url, status } = await opened(sandbox);
  for (const site of [other, mine]) {
    site.serve({ '/app': framing(url) });
    const { page, consoleErrors } = await openPage({ url: `${site.origin}/app` });
    const approve = page.frameLocator('iframe').getByRole('button', { name: 'Approve' });
    if (site === other) {
      await expect.poll(() => consoleErrors.join('\n')).toContain('frame-ancestors');
      expect(await approve.count()).toBe(0);
    } else {
      await approve.click();
      await page.frameLocator('iframe').getByRole('heading', { name: 'Identity confirmed' }).waitFor();
    }
  }
  expect(await status()).toBe('approved');
});

browserTest.each(['light', 'dark'] as const)(
  'the KYC page has no accessibility violation, %s',
  async colorScheme => {
    const sandbox = await startSandbox();
    const [first, second] = [
      await opened(sandbox, { redirectUrl: 'https://app.test/' }),
      await opened(sandbox),
    ];
    const { page } = await openPage({ url: first.url, colorScheme, device: 'phone' });
    const check = async (heading: string) => {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      expect([heading, ...(await violations(page))]).toEqual([heading]);
    };
    await check('Confirm your identity');
    await sandbox.control('POST', `/kyc-sessions/${first.id}/approve`);
    await page.reload();
    await check('Identity confirmed');
    await sandbox.control('POST', '/clock/advance', { duration: '24h' });
    await page.goto(second.url);
    await check('This session has expired');
    await page.goto(`${second.url}0`);
    await check('Session not found');
  },
);
