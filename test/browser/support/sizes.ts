import type { Page } from 'playwright-core';
import { seriousViolations } from './accessibility.ts';
import { DEVICES, type PageOptions } from './browser.ts';

/** A wide window and a phone, with their names. */
export const SIZES: readonly (readonly [name: string, options: PageOptions])[] = [
  ['1440x900', { viewport: { width: 1440, height: 900 } }],
  ['390x844', DEVICES.phone],
];

/** By how many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
}

/** The serious violations of a page, without those of the bar above every page. */
export async function violationsBelowBar(page: Page): Promise<string[]> {
  return (await seriousViolations(page)).filter(each => !each.includes('.world'));
}
