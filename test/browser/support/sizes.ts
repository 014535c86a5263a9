import type { Page } from 'playwright-core';
import { seriousViolations } from './accessibility.ts';
import { DEVICES, type PageOptions } from './browser.ts';

/** A wide window and a phone, with their names. */
export const SIZES: readonly (readonly [name: string, options: PageOptions])[] = [
  ['1440x900', { viewport: { width: 1440, height: 900 } }],
  ['390x844', DEVICES.phone],
];

/** By how many pixels the page is wider than the window. */
export async function overflow(page: Page): Promise<number> {
  // A phone makes its own idea of the width of the window as large as the page.
  const width = page.viewportSize()?.width ?? 0;
  return Math.max((await page.evaluate<number>('document.documentElement.scrollWidth')) - width, 0);
}

/** The serious violations of a page, without those of the bar above every page. */
export async function violationsBelowBar(page: Page): Promise<string[]> {
  return (await seriousViolations(page)).filter(each => !each.includes('.world'));
}
