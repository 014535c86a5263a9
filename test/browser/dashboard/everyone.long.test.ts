import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isFullRun } from '../../support/proof/proof-size.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest, openPage } from '../support/browser.ts';
import { countPending, load, pagesOf, SIZES, startFilled, TWO_FRAMES } from '../support/pages.ts';

const MAX_SHIFT = 0.05;

/** Adds up the layout shifts that no input of the user caused. */
const OBSERVE_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) window.shifts.push({ value, of: sources.map(({ node, previousRect, currentRect }) => [node?.className ?? node?.nodeName, previousRect.x, previousRect.y, currentRect.x, currentRect.y].join(" ")) });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** What can be wrong with a page, by what it looks at. */
async function problemsOf(page: Page, themes: readonly ('light' | 'dark')[]): Promise<string[]> {
  const problems: string[] = [];
  const shifts = await page.evaluate<{ value: number; of: string[] }[]>('window.shifts');
  const shift = shifts.reduce((sum, { value }) => sum + value, 0);
  if (shift > MAX_SHIFT) problems.push(`layout shift of ${shift.toFixed(3)}: ${JSON.stringify(shifts)}`);
  const headings = await page.getByRole('heading', { level: 1 }).count();
  if (headings !== 1) problems.push(`${headings} h1`);
  const [wide, width] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  if (wide > width) problems.push(`${wide} px wide`);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await violations(page)).map(each => `${colorScheme} ${each}`));
  }
  return problems;
}

/**
 * Lets the responses of the control plane arrive one by one, each in frames of its own, so that a part of the page that
 * moves another one is seen whatever the order and the speed are.
 */
async function separateResponses(page: Page): Promise<void> {
  let last = Promise.resolve();
  await page.route(
    url => url.pathname.startsWith('/_sandbox/') && !url.pathname.endsWith('/stream'),
    route => {
      last = last
        .then(async () => {
          await route.fulfill({ response: await route.fetch() });
          await page.evaluate(TWO_FRAMES);
        })
        // The page was left.
        .catch(() => undefined);
    },
  );
}

/** The sizes at which all pages are looked at, each in one theme. The full run has all sizes in both: axe takes a minute. */
const LOOKS: Readonly<Record<string, readonly ('light' | 'dark')[]>> = {
  '1280x720': ['light'],
  '390x844': ['dark'],
  '1280x720 at 200 %': ['light'],
};

for (const [name, viewport] of Object.entries(SIZES)) {
  const themes = isFullRun ? (['light', 'dark'] as const) : LOOKS[name];
  if (themes === undefined) continue;
  browserTest(
    `at ${name}, no page has a finding of axe, a layout shift, a side scroll, or more than one h1`,
    async () => {
      const { origin } = await startFilled();
      const { page, scriptErrors } = await openPage({ viewport });
      await page.addInitScript(OBSERVE_SHIFTS);
      const pending = countPending(page);
      await separateResponses(page);
      const found: Record<string, string[]> = {};
      for (const place of await pagesOf(page, origin, pending)) {
        await load(page, origin, place, pending);
        const problems = await problemsOf(page, themes);
        if (problems.length > 0) found[place] = problems;
      }
      expect(found).toEqual({});
      expect(scriptErrors).toEqual([]);
    },
    300_000,
  );
}

browserTest.each(Object.entries(SIZES))(
  'at %s, menu, forms, help and toasts have no finding of axe',
  async (_, viewport) => {
    const { origin } = await startFilled();
    const { page } = await openPage({ viewport });
    await load(page, origin, '/dashboard#/faults', countPending(page));
    const check = async () => expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: /^Slow/ }).click();
    await page.locator('.toast').waitFor();
    await check();
    for (const key of ['?', 'n', 'm']) {
      await page.locator('body').press(key);
      await page.locator('dialog[open]').waitFor();
      await check();
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    if (await menu.isVisible()) {
      await menu.click();
      await check();
    }
  },
  60_000,
);
