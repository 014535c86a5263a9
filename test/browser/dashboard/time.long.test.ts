import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { createSubmittedCardholder } from '../../support/cardholders.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, fillIn, openDashboard, press, waitForText } from '../support/dashboard.ts';

browserTest('the clock bar is one row on laptops, whether the clock runs or not', async () => {
  const sandbox = await startSandbox();
  const { page } = await openDashboard(sandbox);
  for (const button of ['Resume', 'Freeze']) {
    await page.getByRole('button', { name: button, exact: true }).waitFor();
    for (const width of [1280, 1420, 1421]) {
      await page.setViewportSize({ width, height: 720 });
      const rows = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.clock-bar > *')].map(each => Math.round(each.getBoundingClientRect().bottom))`,
      );
      expect(Math.max(...rows) - Math.min(...rows), `${button} at ${width}`).toBeLessThan(20);
    }
    await press(page, button);
  }
});

describe.each(['desktop', 'phone'] as const)('on a %s', device => {
  browserTest('timers are listed, run up to the next, and an advance is undone', async () => {
    const sandbox = await startSandbox({ kycDelay: '10s' });
    const first = await createSubmittedCardholder(sandbox);
    await sandbox.control('POST', '/clock/advance', { duration: '5s' });
    const second = await createSubmittedCardholder(sandbox);
    const kycOf = async (id: string) =>
      (await sandbox.api('GET', `/partner/cardholders/${id}`)).body.kycStatus;
    const pending = await kycOf(first);
    const { page } = await openDashboard(sandbox, '#/time', { device });
    await waitForText(page, '.timer-list', first);
    // The timers may arrive before the time.
    await expect
      .poll(() => page.locator('.timer-list time').allTextContents())
      .toEqual(['in 5 s', 'in 10 s']);

    await press(page, 'Run to the next timer');
    await waitForText(page, '.clock-now', '10:00:10');
    await expect.poll(() => page.locator('.timer-list li').count()).toBe(1);
    expect([await kycOf(first), await kycOf(second)]).toEqual(['approved', pending]);

    await page.reload();
    await press(page, 'Undo the advance to 2026-03-15 10:00:10');
    await waitForText(page, '.clock-now', '10:00:05');
    await expect.poll(() => page.locator('.timer-list li').count()).toBe(2);
    expect(await kycOf(first)).toBe(pending);
    // The one before can be undone too, though another program made it.
    await page.getByRole('button', { name: 'Undo the advance to 2026-03-15 10:00:05' }).waitFor();

    await press(page, `Run to here: KYC decision of ${second}`);
    await waitForText(page, '.empty', 'Nothing is waiting for the clock');
    expect([await kycOf(first), await kycOf(second)]).toEqual(['approved', 'approved']);
    const names = (await sandbox.control('GET', '/checkpoints')).body.map(
      (each: { name: string }) => each.name,
    );
    expect(names).toEqual(['before-rewind']);
  });

  browserTest('checkpoints are saved, restored and deleted; the state is a file', async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const statusOf = async () => (await sandbox.api('GET', '/partner/cards/card_mia_active')).body.status;
    const { page } = await openDashboard(sandbox, '#/time', { device });
    await waitForText(page, '.section', 'None yet. Save one before you try something.');
    await press(page, 'Save checkpoint');
    await fillIn(page, { Name: 'before freeze' });
    await confirm(page, 'Save');
    await waitForText(page, '.checkpoints', 'before freeze');

    await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
    const saving = page.waitForEvent('download');
    await press(page, 'Download state');
    const state = await readFile(await (await saving).path(), 'utf8');
    await press(page, 'Restore before freeze');
    await confirm(page, 'Restore');
    await waitForText(page, '.toast', 'Restored before freeze');
    expect(await statusOf()).toBe('active');

    const upload = async (text: string) => {
      const buffer = Buffer.from(text);
      await page
        .getByLabel('State file')
        .setInputFiles({ name: 's.json', mimeType: 'application/json', buffer });
      await confirm(page, 'Load');
    };
    await upload(state);
    await waitForText(page, '.toast', 'Loaded s.json');
    expect(await statusOf()).toBe('frozen');
    await upload('{"version": 0}');
    await waitForText(page, 'dialog .problem', 'must be');
    await confirm(page, 'Cancel');
    await press(page, 'Delete before freeze');
    await confirm(page, 'Delete');
    await waitForText(page, '.section', 'None yet. Save one before you try something.');
  });
});
