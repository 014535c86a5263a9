import { expect } from 'vitest';
import { scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { seriousViolations, violations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { cutParts, openStory, pressUntil, smallTexts } from './support.ts';

browserTest.each(scenarioNames())(
  '%s is played by keyboard alone, in large type and without scrolling; its notes speak of what is on the screen',
  async story => {
    const sandbox = await startSandbox({ fixtures: ['empty'] });
    const { page, scriptErrors, consoleErrors } = await openStory(sandbox, story);
    const { body } = await sandbox.control('GET', `/stories/${story}`);
    const keys = ['ArrowRight', 'PageDown', ' '];
    for (const [index, { heading, note, speakerNotes }] of body.steps.entries()) {
      const place = `step ${index + 1}`;
      await pressUntil(page, keys[index % keys.length] ?? '', index + 1);
      expect(await cutParts(page), place).toEqual([]);
      expect(await smallTexts(page), place).toEqual([]);
      expect(await page.locator('[role=alert]').allTextContents(), place).toEqual([]);
      const text = await page.locator('.presenter').innerText();
      const quoted = [...(speakerNotes ?? '').matchAll(/"([^"]+)"/g)].map(([, word = '']) => word);
      for (const shown of [heading, note, ...quoted]) expect(text, place).toContain(shown);
    }
    expect(await page.getByRole('button', { name: 'The end' }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(scriptErrors).toEqual([]);
    expect(consoleErrors).toEqual([]);
  },
  120_000,
);

const SIZES = [
  [1440, 900],
  [1280, 720],
  [834, 1112],
  [390, 844],
] as const;

browserTest.each(SIZES)(
  'the presenter fits a screen of %i by %i, in light and dark',
  async (width, height) => {
    const sandbox = await startSandbox();
    const { page } = await openStory(sandbox, 'kyc-reimport', { viewport: { width, height } });
    for (const [step, key] of [
      [0, ''],
      [6, '6'],
      [17, '17'],
    ] as const) {
      await page.keyboard.type(key);
      if (key !== '') await pressUntil(page, 'Enter', step);
      for (const isDetailed of [false, true]) {
        if (isDetailed) await page.keyboard.press('d');
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await seriousViolations(page), `step ${step}, ${colorScheme}`).toEqual([]);
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        if (isDetailed) await page.keyboard.press('d');
        else if (width > 900) expect(await cutParts(page)).toEqual([]);
      }
    }
  },
);
