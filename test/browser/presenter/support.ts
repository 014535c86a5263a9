import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestSandbox } from '../../support/sandbox.ts';
import { type OpenedPage, openPage, type PageOptions } from '../support/browser.ts';

/** The size for which the presenter is made. */
export const PROJECTOR = { width: 1280, height: 720 };

/** Opens a story in the presenter, by default at 1280 by 720, and waits until it is shown. */
export async function openStory(
  { origin }: Pick<TestSandbox, 'origin'>,
  story: string,
  { path = '/dashboard', ...options }: PageOptions & { readonly path?: string } = {},
): Promise<OpenedPage> {
  const url = `${origin}${path}/present/${story}`;
  const opened = await openPage({ viewport: PROJECTOR, url, ...options });
  await opened.page.locator('.traffic').first().waitFor({ state: 'attached' });
  return opened;
}

/** Waits until a step is shown, `0 of 19` for the beginning. */
export async function waitForStep(page: Page, step: number): Promise<void> {
  await expect
    .poll(() => page.locator('.presenter-foot .button').first().textContent())
    .toMatch(new RegExp(`^${step} of \\d+$`));
}

/** Presses a key and waits until a step is shown. */
export async function pressUntil(page: Page, key: string, step: number): Promise<void> {
  await page.keyboard.press(key);
  await waitForStep(page, step);
}

/** Returns the parts of the page that have to be scrolled. */
export async function cutParts(page: Page): Promise<readonly string[]> {
  // Until then the texts have the widths of another font.
  await page.evaluate('document.fonts.ready.then(() => 0)');
  return page.evaluate<
    readonly string[]
  >(`[document.documentElement, ...document.querySelectorAll('main, main > section')]
    .filter(each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
    .map(each => each.tagName + '.' + each.className + ' ' + each.scrollHeight + ' of ' + each.clientHeight)`);
}

/** Returns the texts that are too small for a projector: below 20 px on the wire, labels and others below 14 px. */
export function smallTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`[...document.querySelectorAll('.presenter *')]
    .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== ''))
    .filter(each => {
      const isWire = each.matches('.scene *') && !each.matches('.scene-kind, .scene-kind *');
      return parseFloat(getComputedStyle(each).fontSize) < (isWire ? 20 : 14);
    })
    .map(each => each.tagName + ' ' + each.textContent)`);
}
