import { expect } from 'vitest';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { openDashboard, waitForText } from '../support/dashboard.ts';

browserTest('the switcher leads to the same page of another world', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  const { page, scriptErrors } = await openDashboard(sandbox, '#/cardholders');
  const list = page.getByLabel('World');
  expect(await list.inputValue()).toBe('main');
  const { body: blue } = await sandbox.control('POST', '/worlds', { id: 'blue' });
  await list.focus();
  await list.selectOption('blue');
  await page.waitForURL('**/dashboard/blue?partner=*#/cardholders');
  await waitForText(page, 'main', 'No cardholders');
  const headers = { 'x-service-api-key': blue.partners[0].apiKey };
  await sandbox.api('POST', '/partner/cardholders', newCardholder(), headers);
  await waitForText(page, '.row', 'user_');
  expect(scriptErrors).toEqual([]);
});

browserTest(
  'a page whose world ends while it is open says so, and shows the next one of this name',
  async () => {
    const sandbox = await startSandbox();
    await sandbox.control('POST', '/worlds', { id: 'brief' });
    const { page, scriptErrors } = await openDashboard(sandbox);
    await page.goto(`${sandbox.origin}/dashboard/brief`);
    await waitForText(page, '.sidebar-foot', 'Live');
    await sandbox.control('DELETE', '/worlds/brief');
    await waitForText(page, '.empty h1', 'There is no world called brief');
    await sandbox.control('POST', '/worlds', { id: 'brief' });
    await waitForText(page, 'main h1', 'Acme');
    expect(scriptErrors).toEqual([]);
  },
);

browserTest('a partner with a long name leaves room for the name of the world', async () => {
  const sandbox = await startSandbox();
  const world = { id: 'nightly-regression' };
  await sandbox.control('POST', '/worlds', world);
  const { page } = await openDashboard(sandbox);
  const width = async () => (await page.getByLabel('World').boundingBox())?.width;
  await page.getByLabel('World').selectOption(world.id);
  await page.waitForURL('**/dashboard/nightly-regression?partner=*');
  const before = await width();
  await sandbox.control('POST', `/worlds/${world.id}/partners`, { name: 'Globex '.repeat(20) });
  await page.reload();
  await page
    .getByLabel('Partner')
    .locator('option', { hasText: 'Globex Globex' })
    .waitFor({ state: 'attached' });
  expect(await width()).toBe(before);
});
