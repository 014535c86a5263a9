import { describe, expect } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';
import { browserTest } from '../support/browser.ts';
import { openDashboard, press, waitForText } from '../support/dashboard.ts';
import { overflow, SIZES, violationsBelowBar } from '../support/sizes.ts';

describe.each(SIZES)('at %s', (_size, options) => {
  browserTest(
    'Ctrl K finds pages, records, requests, operations and actions, by keyboard alone',
    async () => {
      const sandbox = await startSandbox({ fixtures: ['starter'] });
      await sandbox.api('GET', '/partner/cards/card_nobody');
      const { page } = await openDashboard(sandbox, '', options);
      const find = async (text: string, option: string, heading: string) => {
        await page.keyboard.press('Control+k');
        await page.keyboard.type(text);
        const selected = page.locator('.palette [aria-selected="true"]');
        await expect.poll(() => selected.allTextContents()).toEqual([expect.stringContaining(option)]);
        await page.keyboard.press('Enter');
        await waitForText(page, 'h1, h2', heading);
        expect(await page.locator('dialog[open]').count()).toBe(0);
      };
      await find('assum', 'Assumptions', 'Assumptions');
      await find('keller', 'Mia Keller', 'Mia Keller');
      await find('card_nobody', '/v1/partner/cards/card_nobody', 'card_nobody');
      await find('cards.reveal', 'cards.reveal', '/partner/cards/{id}/reveal');
      await find('mint token', 'Mint a share token', 'Mint a share token').catch(() => undefined);
      await waitForText(page, 'dialog[open] h2', 'Mint a share token');
      // A form that asks for something is not covered.
      await page.keyboard.press('Control+k');
      expect(await page.locator('dialog[open]').count()).toBe(1);
    },
  );

  browserTest(
    'the search is a combobox with a list, closes with Escape and says when nothing matches',
    async () => {
      const sandbox = await startSandbox({ fixtures: ['starter'] });
      const { page } = await openDashboard(sandbox, '', options);
      await press(page, 'Search everything');
      const field = page.getByRole('combobox', { name: 'Page, record, request or operation' });
      // Before the first option is selected, the field does not act on the key.
      await page.locator('.palette [aria-selected="true"]').waitFor();
      await page.keyboard.press('ArrowDown');
      // Read in one moment: options that arrive later move the selection.
      const ids = `[...document.querySelectorAll('.palette [aria-selected="true"]')].map(each => each.id)`;
      const active = `document.querySelector('.palette [role=combobox]').getAttribute('aria-activedescendant')`;
      const isActive = () => page.evaluate(`${ids}.length === 1 && ${ids}[0] === ${active}`);
      await expect.poll(isActive).toBe(true);
      expect(await violationsBelowBar(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await field.fill('zzzz qqqq');
      await waitForText(page, '.palette', 'Nothing matches.');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    },
  );
});
