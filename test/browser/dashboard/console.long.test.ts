import { describe, expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';

import { browserTest } from '../support/browser.ts';
import { goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';
import { SIZES, violationsBelowBar } from '../support/sizes.ts';

describe.each(SIZES)('at %s', (_size, options) => {
  browserTest('a request of the journal is edited and sent again', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const body = { cardholderId: 'ch_mia_approved', cardProgramId: 'prog_everyday', nameOnCard: 'Mia' };
    const { headers } = await sandbox.api('POST', '/partner/cards', body, { 'x-trace': 'abc' });
    const { page, consoleErrors } = await openDashboard(
      sandbox,
      `#/requests/${headers.get('x-sandbox-request')}`,
      options,
    );
    await page.getByRole('link', { name: 'Edit and send again' }).click();
    const editor = page.getByLabel('Request body');
    expect(JSON.parse(await editor.inputValue())).toEqual(body);
    expect(await page.getByLabel('Headers').inputValue()).toBe('x-trace: abc');
    await editor.fill(JSON.stringify({ ...body, nameOnCard: 'Mia K' }));
    await editor.press('Control+Enter');
    await waitForText(page, '.console .code', '201');
    const [entry] = (await sandbox.control('GET', '/requests?operation=cards.issue')).body;
    expect(entry.request.headers['x-trace']).toBe('abc');
    expect(JSON.parse(entry.request.body).nameOnCard).toBe('Mia K');
    await page.getByRole('link', { name: 'What it changed, and why' }).click();
    await waitForText(page, '.changes', 'card');
    // The editor needs no inline style, which the content security policy refuses.
    expect(consoleErrors).toEqual([]);
  });

  browserTest('the console calls any operation, with completion of its body from the schema', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const { page, consoleErrors } = await openDashboard(sandbox, '#/console', options);
    await waitForText(page, '.console h2', '/partner/cards');
    await press(page, 'Send');
    await waitForText(page, '.console .body', 'card_mia_active');

    await page.getByLabel('Operation').selectOption('cards.issue');
    await page.getByLabel('API key of').selectOption({ label: 'Acme' });
    const editor = page.getByLabel('Request body');
    await editor.fill('');
    await editor.press('Control+a');
    await page.keyboard.type('{"cardh');
    await waitForText(page, '.pce-ac-row', 'cardholderId');
    await page.keyboard.press('Enter');
    await page.keyboard.type('"ch_mia_approved", "cardProgramId": "prog_everyday", "type": "vi');
    await waitForText(page, '.pce-ac-row', 'virtual');
    await page.keyboard.press('Enter');
    expect(JSON.parse(await editor.inputValue())).toEqual({
      cardholderId: 'ch_mia_approved',
      cardProgramId: 'prog_everyday',
      type: 'virtual',
    });
    expect(await violationsBelowBar(page)).toEqual([]);
    await press(page, 'Send');
    await waitForText(page, '.console .code', '201');

    await page.getByLabel('Operation').selectOption('cards.freeze');
    await page.getByLabel('id', { exact: true }).fill('');
    await press(page, 'Send');
    await waitForText(page, '.problem', 'Give a value for id.');
    await page.getByLabel('id', { exact: true }).fill('card_mia_active');
    await page.getByLabel('id', { exact: true }).press('Enter');
    await waitForText(page, '.console .code', '200');
    expect((await sandbox.api('GET', '/partner/cards/card_mia_active')).body.status).toBe('frozen');

    await goTo(page, '#/console/clock.advance');
    await page.getByLabel('Request body').fill('{"duration": "1h"}');
    await press(page, 'Send');
    await waitForText(page, '.clock-now', '11:00:00');
    await goTo(page, '#/console/nothing.like.it');
    await waitForText(page, '.problem', 'nothing.like.it');
    expect(consoleErrors.filter(text => !text.includes('404'))).toEqual([]);
  });
});
