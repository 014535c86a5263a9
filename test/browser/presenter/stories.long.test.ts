import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { sample } from '../../support/proof/proof-size.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { seriousViolations, violations } from '../support/accessibility.ts';
import { browserTest } from '../support/browser.ts';
import { cutParts, openStory, pressUntil, smallTexts } from './support.ts';

/** Up to this width, pages scroll down and type is smaller: the screen is in the hand. */
const NARROW = 900;

const SIZES = [
  [1280, 720],
  [390, 844],
  [1440, 900],
  [834, 1112],
] as const;

/** Every story at every size. Stories that follow each other begin with different sizes, so that a sample has all sizes. */
const PLAYED = scenarioNames().flatMap((story, index) =>
  SIZES.map((_, turn) => [story, ...(SIZES[(index + turn) % SIZES.length] ?? SIZES[0])] as const),
);

browserTest.each(sample(PLAYED, 4))(
  '%s at %i x %i is played by keyboard alone, in light and dark, in large type and with nothing cut off; its notes speak of what is on the screen',
  async (story, width, height) => {
    const sandbox = await startSandbox({ fixtures: ['empty'] });
    const { page, scriptErrors, consoleErrors } = await openStory(sandbox, story, {
      viewport: { width, height },
    });
    const { body } = await sandbox.control('GET', `/stories/${story}`);
    const keys = ['ArrowRight', 'PageDown', ' '];
    for (const [index, { heading, note, speakerNotes }] of body.steps.entries()) {
      const place = `step ${index + 1}`;
      await pressUntil(page, keys[index % keys.length] ?? '', index + 1);
      expect(await page.locator('[role=alert]').allTextContents(), place).toEqual([]);
      const text = await page.locator('.presenter').innerText();
      const quoted = [...(speakerNotes ?? '').matchAll(/"([^"]+)"/g)].map(([, word = '']) => word);
      for (const shown of [heading, note, ...quoted]) expect(text, place).toContain(shown);
      for (const colorScheme of ['light', 'dark'] as const) {
        const look = `${place}, ${colorScheme}`;
        await page.emulateMedia({ colorScheme });
        expect(await seriousViolations(page, ['color-contrast']), look).toEqual([]);
        expect(await widthOf(page), look).toBeLessThanOrEqual(width);
        if (width <= NARROW) continue;
        expect(await cutParts(page), look).toEqual([]);
        expect(await smallTexts(page), look).toEqual([]);
      }
    }
    expect(await page.getByRole('button', { name: 'The end' }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(scriptErrors).toEqual([]);
    expect(consoleErrors).toEqual([]);
  },
);

browserTest('the presenter fits every screen, in light and dark, with and without details', async () => {
  const sandbox = await startSandbox();
  const { page } = await openStory(sandbox, 'kyc-reimport');
  const check = async (what: string, isDetailed: boolean) => {
    for (const [width, height] of SIZES) {
      const place = `${what}, ${width} x ${height}`;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await seriousViolations(page), place).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await seriousViolations(page, ['color-contrast']), `${place}, dark`).toEqual([]);
      expect(await widthOf(page), place).toBeLessThanOrEqual(width);
      if (width > NARROW && !isDetailed) expect(await cutParts(page), place).toEqual([]);
    }
  };
  for (const step of [0, 6, 17]) {
    if (step > 0) {
      await page.keyboard.type(String(step));
      await pressUntil(page, 'Enter', step);
    }
    await check(`step ${step}`, false);
    await page.keyboard.press('d');
    // The cover has no details.
    await check(`step ${step} with details`, step > 0);
    await page.keyboard.press('d');
  }
});

function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
