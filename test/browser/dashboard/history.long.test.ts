import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, openDashboard, press, waitForText } from '../support/dashboard.ts';

browserTest('the history is shown live, and goes back to before an entry', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.api('GET', '/partner/balance');
  const { page } = await openDashboard(sandbox, '#/history');
  await waitForText(page, '.row', '/v1/partner/balance');
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  await waitForText(page, '.row', '/_sandbox/clock/advance');
  await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
  await waitForText(page, '.row', 'card_mia_active/freeze');
  expect(await page.locator('.row').count()).toBe(3);

  await page.locator('.row').filter({ hasText: 'clock/advance' }).click();
  await press(page, 'Go back to before this');
  await waitForText(page, 'dialog[open]', 'Undoes 2 entries');
  await confirm(page, 'Undo 2 entries');
  await waitForText(page, '.toast', 'Undid 2 entries');
  expect((await sandbox.api('GET', '/partner/cards/card_mia_active')).body.status).toBe('active');
  expect((await sandbox.control('GET', '/clock')).body.now).toBe('2026-03-15T10:00:00.000Z');
});

browserTest('the history is saved as a file in each format', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.api('GET', '/partner/balance');
  const { page } = await openDashboard(sandbox, '#/history');
  await waitForText(page, '.row', '/v1/partner/balance');
  for (const [button, name, text] of [
    ['Scenario', 'history.yaml', 'GET /partner/balance'],
    ['HAR', 'history.har', '"version": "1.2"'],
    ['curl', 'history.sh', '#!/bin/sh'],
  ] as const) {
    const saving = page.waitForEvent('download');
    await press(page, button);
    const file = await saving;
    expect(file.suggestedFilename()).toBe(name);
    expect(await readFile(await file.path(), 'utf8')).toContain(text);
  }
});
