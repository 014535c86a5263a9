import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { temporaryFile } from '../../cli/support/temporary-file.ts';
import { launchHere, runInProcess } from '../../support/cli-in-process.ts';
import { START } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { confirm, goTo, openDashboard, press, waitForText } from '../support/dashboard.ts';

browserTest(
  'an opened record says on every page what it is, shows the refused request, and goes back to before it',
  async () => {
    await using sandbox = createSandbox({ clock: START });
    await sandbox.api.balance.get();
    await sandbox.api.cards.freeze('card_none').catch(() => undefined);
    await sandbox.clock.advance('1h');
    const file = await temporaryFile('job.record.jsonl');
    await sandbox.history.save(file);
    const opened = launchHere(['open', file]);
    const [, origin = ''] = await opened.printed(/^(http:\S+?:\d+)\//);

    const { page, scriptErrors } = await openDashboard({ origin }, '#/activity');
    await waitForText(page, '.row', '/v1/partner/cards/card_none/freeze');
    await page.locator('.row').filter({ hasText: 'card_none' }).click();
    await waitForText(page, '.callout.bad', 'no card with id "card_none"');

    const notice = 'A recording of the past: job.record.jsonl, world main, opened as it was after ent_3';
    await waitForText(page, '.notice', notice);
    expect(await page.getByText('Present', { exact: false }).count()).toBe(0);
    await page.keyboard.press('p');
    await page.keyboard.press('?');
    await waitForText(page, 'dialog[open]', 'Change the theme');
    expect(await page.getByText('Presenter mode').count()).toBe(0);
    await page.keyboard.press('Escape');
    await goTo(page, '#/settings');
    await waitForText(page, '.notice', notice);
    await page.goBack();

    const saving = page.waitForEvent('download');
    await press(page, 'Save as record');
    const saved = await temporaryFile('saved.record.jsonl');
    await (await saving).saveAs(saved);
    expect((await readFile(saved, 'utf8')).match(/^\{"entry"/gm)).toHaveLength(2);
    expect(await runInProcess(['run', saved])).toMatchObject({ code: 0 });

    await press(page, 'Go back to before this');
    await waitForText(page, 'dialog[open]', 'Undoes 2 entries');
    await confirm(page, 'Undo 2 entries');
    await waitForText(page, '.toast', 'Undid 2 entries');
    await waitForText(page, '.notice', notice);
    const clock = await fetch(`${origin}/_sandbox/clock`);
    expect(await clock.json()).toMatchObject({ now: START, mode: 'frozen' });
    expect(await page.locator('.row').allTextContents()).toEqual([
      expect.stringContaining('/v1/partner/balance'),
    ]);
    expect(scriptErrors).toEqual([]);
  },
);
