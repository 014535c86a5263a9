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
      await field.waitFor();
      await page.keyboard.press('ArrowDown');
      const active = await field.getAttribute('aria-activedescendant');
      expect(await page.locator('.palette [aria-selected="true"]').getAttribute('id')).toBe(active);
      expect(await violationsBelowBar(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await field.fill('zzzz qqqq');
      await waitForText(page, '.palette', 'Nothing matches.');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    },
  );
});
