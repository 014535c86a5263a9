import { expect } from 'vitest';
import { fixtureFile } from '../../sandbox/fixtures/fixture-files.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { fillIn, goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';
import { TWO_FRAMES } from '../support/pages.ts';

const MANY = 100_000;
const TIMEOUT_MS = 120_000;

async function startLarge() {
  const file = fixtureFile(`cardholders: [{ generate: ${MANY}, externalUserId: crowd }]`);
  return startSandbox({ fixtures: ['empty', file] });
}

browserTest(
  'of 100,000 cardholders the page shows the total, any page, any record, and what is created',
  async () => {
    const sandbox = await startLarge();
    const { page, scriptErrors } = await openDashboard(sandbox, '#/cardholders');
    await waitForText(page, '.tally', '100,000');
    await waitForText(page, '.pager', '1–50 of 100,000');
    expect(await page.locator('.row').count()).toBe(50);

    const { body } = await sandbox.api('POST', '/partner/cardholders', newCardholder());
    await waitForText(page, '.row', body.email);
    await waitForText(page, '.tally', '100,001');
    expect(await page.locator('.row').first().textContent()).toContain(body.email);

    await page.getByLabel('Page number').fill('2001');
    await page.getByLabel('Page number').press('Enter');
    await waitForText(page, '.pager', '100,001–100,001 of 100,001');
    await expect.poll(() => page.url()).toContain('page=2001');
    await press(page, 'Newer');
    await waitForText(page, '.pager', '99,951–100,000');
    await page.getByLabel('Page number').fill('1000');
    await page.getByLabel('Page number').press('Enter');
    await waitForText(page, '.pager', '49,951–50,000 of 100,001');
    const [expected] = (await sandbox.control('GET', '/cardholders?limit=1&offset=49950')).body;
    const firstRow = page.locator('.row').first();
    // The rows of the page before stay until those of this one arrive.
    await expect.poll(() => firstRow.textContent()).toContain(expected.email);
    await page.goBack();
    await waitForText(page, '.pager', '99,951–100,000');
    expect(scriptErrors).toEqual([]);
  },
  TIMEOUT_MS,
);

browserTest(
  'a search and a filter among 100,000 cardholders are made by the sandbox, and are in the address',
  async () => {
    const sandbox = await startLarge();
    const [oldest] = (await sandbox.control('GET', `/cardholders?limit=1&offset=${MANY - 1}`)).body;
    const { page } = await openDashboard(sandbox, '#/cardholders');
    await waitForText(page, '.tally', '100,000');
    await page.getByLabel('Search cardholders').fill(oldest.email);
    await waitForText(page, '.row', oldest.email);
    await waitForText(page, '.tally', '1 of 100,000');
    await expect.poll(() => page.url()).toContain(`q=${encodeURIComponent(oldest.email)}`);

    const searches: string[] = [];
    page.on('request', request => request.url().includes('&q=') && searches.push(request.url()));
    await sandbox.api('POST', '/partner/cardholders', newCardholder());
    await waitForText(page, '.tally', '1 of 100,001');
    expect(searches).toEqual([]);
    await press(page, 'Search again');
    await expect.poll(() => searches.length).toBe(1);

    const [{ id: cardProgramId }] = (await sandbox.control('GET', '/programs')).body;
    await page.getByLabel('Search cardholders').fill('');
    await fillIn(page, { State: 'in_flight' });
    await waitForText(page, '.tally', '0 of 100,001');
    await sandbox.api('POST', `/partner/cardholders/${oldest.id}/kyc`, { cardProgramId });
    await waitForText(page, '.row', oldest.email);
    await waitForText(page, '.tally', '1 of 100,001');
  },
  TIMEOUT_MS,
);

browserTest(
  'a link opens any of 100,000 cardholders in another browser, and its changes are shown',
  async () => {
    const sandbox = await startLarge();
    const [oldest] = (await sandbox.control('GET', `/cardholders?limit=1&offset=${MANY - 1}`)).body;
    const first = (await openDashboard(sandbox, `#/cardholders/${oldest.id}`)).page;
    await waitForText(first, '.detail', oldest.email);
    await expect.poll(() => first.url()).toContain('/dashboard/main?partner=partner_acme#/cardholders/');

    const { page } = await openDashboard({ origin: '' }, '', { url: first.url() });
    await waitForText(page, '.detail', oldest.email);
    // The list is read after the record, which needs no partner.
    await waitForText(page, '.tally', '100,000');
    await sandbox.control('POST', `/cardholders/${oldest.id}/status`, { status: 'suspended' });
    await waitForText(page, '.detail .badge', 'suspended');
  },
  TIMEOUT_MS,
);

browserTest('the address has the partner and the world, and a link opens both', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.control('POST', '/worlds', { id: 'other' });
  const { page } = await openDashboard(sandbox);
  await expect.poll(() => page.url()).toContain('/dashboard/main?partner=partner_acme');
  await fillIn(page, { Partner: 'partner_globex' });
  await waitForText(page, 'h1', 'Globex');
  await goTo(page, '#/cardholders');
  await expect.poll(() => page.url()).toContain('?partner=partner_globex#/cardholders');
  await page.reload();
  await waitForText(page, 'h1', 'Cardholders');
  await expect.poll(() => page.getByLabel('Partner').inputValue()).toBe('partner_globex');
  await page.getByLabel('World').selectOption('other');
  await expect.poll(() => page.url()).toContain('/dashboard/other?partner=partner_globex#/cardholders');
  await expect.poll(() => page.getByLabel('Partner').inputValue()).toBe('partner_globex');

  // A record of another partner selects that partner.
  const link = `${sandbox.origin}/dashboard/main?partner=partner_globex#/cardholders/ch_mia_approved`;
  const second = (await openDashboard({ origin: '' }, '', { url: link })).page;
  await waitForText(second, '.detail h2', 'Mia Keller');
  await expect.poll(() => second.getByLabel('Partner').inputValue()).toBe('partner_acme');
});

browserTest('a record that does not exist is asked for once, and the page says so', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '#/cards/card_nothing');
  await waitForText(page, '.empty h2', 'No card with this id');
  const missing: string[] = [];
  page.on('response', response => {
    if (response.status() === 404) missing.push(new URL(response.url()).pathname);
  });
  await page.reload();
  await waitForText(page, '.empty h2', 'No card with this id');
  await waitForText(page, '.row', 'MIA KELLER');
  expect(missing).toEqual(['/_sandbox/cards/card_nothing']);
});

browserTest('an open record stays when the sandbox does not respond, and is not called missing', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { page } = await openDashboard(sandbox, '#/cards/card_mia_active');
  await waitForText(page, '.detail h2', '4106');
  const failed = page.waitForEvent('requestfailed', request => request.url().endsWith('/card_mia_active'));
  await page.route('**/_sandbox/cards/card_mia_active', route => route.abort());
  // The page reads everything again when it comes to the front.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await failed;
  await page.evaluate(TWO_FRAMES);
  await waitForText(page, '.detail h2', '4106');
});
