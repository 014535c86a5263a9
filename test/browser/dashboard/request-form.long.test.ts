import { describe, expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { fillIn, goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';
import { overflow, SIZES, violationsBelowBar } from '../support/sizes.ts';

describe.each(SIZES)('at %s', (_size, options) => {
  browserTest('a request of the journal is edited and sent again', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const body = { cardholderId: 'ch_mia_approved', cardProgramId: 'prog_everyday', nameOnCard: 'Mia' };
    const { headers } = await sandbox.api('POST', '/partner/cards', body);
    const id = headers.get('x-sandbox-request');
    const { page, consoleErrors } = await openDashboard(sandbox, `#/requests/${id}`, options);
    await page.getByRole('link', { name: 'Edit and send again' }).click();
    const field = page.getByRole('textbox', { name: 'Body' });
    expect(JSON.parse(await field.inputValue())).toEqual(body);
    expect(await page.getByLabel('Path').inputValue()).toBe('/partner/cards');
    expect(await page.getByLabel('Method').inputValue()).toBe('POST');
    await field.fill(JSON.stringify({ ...body, nameOnCard: 'Mia K' }));
    await field.press('Control+Enter');
    await waitForText(page, '.detail .code', '201');
    await waitForText(page, '.detail .body', 'Mia K');
    const [entry] = (await sandbox.control('GET', '/requests?operation=cards.issue')).body;
    expect(JSON.parse(entry.request.body).nameOnCard).toBe('Mia K');
    expect(entry.partnerId).toBe('partner_acme');
    await page.getByRole('link', { name: 'What it changed, and why' }).click();
    await waitForText(page, '.changes', 'card');
    expect(consoleErrors).toEqual([]);
  });

  browserTest(
    'a new request is sent to the API or to the control plane, by any partner or nobody',
    async () => {
      const sandbox = await startSandbox({ fixtures: ['starter'] });
      const { page } = await openDashboard(sandbox, '#/requests', options);
      await press(page, 'New request');
      await press(page, 'Send');
      await waitForText(page, '.detail .body', 'card_mia_active');
      await fillIn(page, { 'Send as': 'partner_globex' });
      await press(page, 'Send');
      await expect.poll(() => page.locator('.detail .body').textContent()).not.toContain('card_mia_active');
      await fillIn(page, { 'Send as': 'none' });
      await press(page, 'Send');
      await waitForText(page, '.detail .code', '401');

      // The path of an operation brings its method and an example of its body.
      await fillIn(page, { 'Send as': 'control', Path: '/clock/advance' });
      expect(await page.getByLabel('Method').inputValue()).toBe('POST');
      expect(Object.keys(JSON.parse(await page.getByRole('textbox', { name: 'Body' }).inputValue()))).toEqual(
        ['duration'],
      );
      await fillIn(page, { Body: '{"duration": "1h"}' });
      expect(await violationsBelowBar(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await press(page, 'Send');
      await waitForText(page, '.clock-now', '11:00:00');
    },
  );

  browserTest('links to the console that the dashboard had open the form', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const { page } = await openDashboard(sandbox, '#/console', options);
    await waitForText(page, '.detail h2', 'New request');
    await goTo(page, '#/console/cards.freeze');
    await expect.poll(() => page.getByLabel('Path').inputValue()).toBe('/partner/cards/{id}/freeze');
    await fillIn(page, { Path: '/partner/cards/card_mia_active/freeze' });
    await page.getByLabel('Path').press('Enter');
    await waitForText(page, '.detail .code', '200');
    expect((await sandbox.api('GET', '/partner/cards/card_mia_active')).body.status).toBe('frozen');
    const [{ id }] = (await sandbox.control('GET', '/requests?operation=cards.freeze')).body;
    await goTo(page, `#/console/${id}`);
    await expect
      .poll(() => page.getByLabel('Path').inputValue())
      .toBe('/partner/cards/card_mia_active/freeze');
    await goTo(page, '#/console/nothing.like.it');
    await waitForText(page, '.problem', 'nothing.like.it');
  });
});
