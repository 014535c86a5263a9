import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { sample } from '../../support/proof/proof-size.ts';
import { startSandbox } from '../../support/sandbox.ts';
import { violations } from '../support/accessibility.ts';
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
        const shown = `${place}, ${colorScheme}`;
        await page.emulateMedia({ colorScheme });
        expect(await violations(page, ['color-contrast']), shown).toEqual([]);
        expect(await widthOf(page), shown).toBeLessThanOrEqual(width);
        if (width <= NARROW) continue;
        expect(await cutParts(page), shown).toEqual([]);
        expect(await smallTexts(page), shown).toEqual([]);
      }
      if (width <= NARROW) continue;
      const sizes = await look(page);
      expect(sizes.title, place).toBeGreaterThan(sizes.people);
      expect(sizes.people, place).toBeGreaterThan(sizes.note);
      expect(sizes.gap, place).toBeLessThanOrEqual(height / 10);
    }
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.end h1').innerText()).toBe(body.takeaway);
    expect(await page.locator('.end a').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    expect(scriptErrors).toEqual([]);
    expect(consoleErrors).toEqual([]);
  },
);

browserTest('a step with all its details fits every width, and its page has no finding of axe', async () => {
  const sandbox = await startSandbox();
  const { page } = await openStory(sandbox, 'kyc-reimport');
  await page.keyboard.type('17');
  await pressUntil(page, 'Enter', 17);
  await page.keyboard.press('d');
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    expect(await violations(page), `${width} x ${height}`).toEqual([]);
    expect(await widthOf(page)).toBeLessThanOrEqual(width);
  }
});

/** The sizes of type in a step, and how much is empty between its lowest text or drawing and the controls. */
function look(page: Page): Promise<Record<'title' | 'people' | 'note' | 'gap', number>> {
  return page.evaluate(`(() => {
    const size = selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize);
    const bottoms = [...document.querySelectorAll('.traffic :is(p, h2, dd, button, iframe)')]
      .map(each => each.getBoundingClientRect().bottom);
    const foot = document.querySelector('.presenter-foot').getBoundingClientRect().top;
    return { title: size('.step h1'), people: size('.person dd'), note: size('.step-note'), gap: foot - Math.max(...bottoms) };
  })()`);
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
