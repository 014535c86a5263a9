import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isFullRun, sample } from '../../support/proof/proof-size.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest, openPage } from '../support/browser.ts';
import {
  countPending,
  goToPlace,
  load,
  pagesOf,
  SEPARATE_RESPONSES,
  SIZES,
  startFilled,
} from '../support/pages.ts';

const MAX_SHIFT = 0.05;

/** Adds up the layout shifts that no input of the user caused. */
const OBSERVE_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) window.shifts.push({ value, of: sources.map(({ node, previousRect, currentRect }) => [node?.className ?? node?.nodeName, previousRect.x, previousRect.y, currentRect.x, currentRect.y].join(" ")) });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

type Size = keyof typeof SIZES;
type Theme = 'light' | 'dark';

/** The sizes at which all pages are looked at, each in one theme. The full run has all sizes in both: axe takes a minute. */
const LOOKS: readonly (readonly [Size, readonly Theme[]])[] = isFullRun
  ? Object.keys(SIZES).map(name => [name as Size, ['light', 'dark']])
  : [
      ['1280x720', ['light']],
      ['390x844', ['dark']],
    ];

/** The sizes at which all pages are loaded from nothing. Where things wrap most, most of them move. */
const LOADED: readonly Size[] = isFullRun ? LOOKS.map(([name]) => name) : ['390x844'];

browserTest.each(LOADED)('at %s, no page has a layout shift while it loads', async name => {
  const { origin } = await startFilled();
  const { page, scriptErrors } = await openPage({ viewport: SIZES[name] });
  await page.addInitScript(OBSERVE_SHIFTS);
  await page.addInitScript(SEPARATE_RESPONSES);
  const pending = countPending(page);
  const found: Record<string, unknown> = {};
  for (const place of sample(await pagesOf(page, origin, pending), 3)) {
    await load(page, origin, place, pending);
    const shifts = await page.evaluate<{ value: number; of: string[] }[]>('window.shifts');
    if (shifts.reduce((sum, { value }) => sum + value, 0) > MAX_SHIFT) found[place] = shifts;
  }
  expect(found).toEqual({});
  expect(scriptErrors).toEqual([]);
});

/** What is wrong with a page, whatever it shows. */
async function problemsOf(page: Page): Promise<string[]> {
  const [headings, wide, width] = await page.evaluate<[number, number, number]>(
    `[document.querySelectorAll('h1').length, document.documentElement.scrollWidth, innerWidth]`,
  );
  return [
    ...(headings === 1 ? [] : [`${headings} h1`]),
    ...(wide > width ? [`${wide} px wide`] : []),
    ...(await violations(page)),
  ];
}

browserTest(
  'no page has a finding of axe, a side scroll, or more than one h1, at any size and in any theme',
  async () => {
    const { origin } = await startFilled();
    const { page, scriptErrors } = await openPage();
    const pending = countPending(page);
    const found: Record<string, string[]> = {};
    for (const place of sample(await pagesOf(page, origin, pending), 5)) {
      await goToPlace(page, place, pending);
      for (const [name, themes] of LOOKS) {
        await page.setViewportSize(SIZES[name]);
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme });
          const problems = await problemsOf(page);
          if (problems.length > 0) found[`${place} at ${name}, ${colorScheme}`] = problems;
        }
      }
      await page.setViewportSize(SIZES['1280x720']);
    }
    expect(found).toEqual({});
    expect(scriptErrors).toEqual([]);
  },
);

browserTest('menu, forms, help and toasts have no finding of axe at any size', async () => {
  const { origin } = await startFilled();
  const { page } = await openPage();
  await load(page, origin, '/dashboard#/faults', countPending(page));
  await page.getByRole('button', { name: /^Slow/ }).click();
  await page.locator('.toast').waitFor();
  const found: Record<string, string[]> = {};
  const check = async (what: string) => {
    for (const [name] of LOOKS) {
      await page.setViewportSize(SIZES[name]);
      const problems = await violations(page);
      if (problems.length > 0) found[`${what} at ${name}`] = problems;
    }
  };
  await check('toast');
  for (const key of ['?', 'n', 'm']) {
    await page.locator('body').press(key);
    await page.locator('dialog[open]').waitFor();
    await check(`the dialog of ${key}`);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  await page.setViewportSize(SIZES['390x844']);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await check('menu');
  expect(found).toEqual({});
});
