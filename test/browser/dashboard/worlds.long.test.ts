import { expect } from 'vitest';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, fillIn, goTo, openDashboard, waitForText } from '../support/dashboard.ts';

browserTest('the list of worlds creates, opens and ends a world', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  const { page, scriptErrors } = await openDashboard(sandbox, '#/cardholders');
  const list = page.getByLabel('World');
  expect(await list.inputValue()).toBe('main');

  await list.selectOption('New world…');
  await fillIn(page, { Name: 'blue' });
  await confirm(page, 'Create');
  await page.waitForURL('**/dashboard/blue?partner=*#/cardholders');
  await waitForText(page, 'main', 'No cardholders');
  const [blue] = (await sandbox.control('GET', '/worlds/blue')).body.partners;
  await sandbox.api('POST', '/partner/cardholders', newCardholder(), { 'x-service-api-key': blue.apiKey });
  await waitForText(page, '.row', 'user_');

  await goTo(page, '#/overview');
  await page.getByLabel('World').selectOption('End this world…');
  await confirm(page, 'End it');
  await page.waitForURL('**/dashboard/main?partner=*#/overview');
  expect((await sandbox.control('GET', '/worlds')).body).toHaveLength(1);
  expect(scriptErrors).toEqual([]);
});

browserTest('the page of a world that does not exist says so and leads to main', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox, '');
  await page.goto(`${sandbox.origin}/dashboard/gone`);
  await waitForText(page, '.empty h1', 'There is no world called gone');
  await page.getByRole('link', { name: 'main', exact: true }).click();
  await page.waitForURL('**/dashboard/main?partner=*');
  await waitForText(page, 'main h1', 'Acme');
});
