import { expect } from 'vitest';
import { sample } from '../../support/proof/proof-size.ts';
import { browserTest, openPage } from '../support/browser.ts';
import { countPending, load, pagesOf, SIZES, startFilled } from '../support/pages.ts';

/** Finds the controls that can be used now, and watches where the focus goes. Returns how many there are. */
const FIND_CONTROLS = `(() => {
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  window.controls = new Set([...document.querySelectorAll(selector)].filter(each =>
    !each.disabled && each.checkVisibility({ visibilityProperty: true }) && each.tabIndex >= 0));
  window.unseen = new Set();
  document.addEventListener('focusin', ({ target }) => {
    window.controls.delete(target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) window.unseen.add(target);
  });
  return window.controls.size;
})()`;
const PROBLEMS = `(() => {
  const described = (problem, elements) => [...elements].map(each => problem + ': ' + each.outerHTML.slice(0, 120));
  return [...described('no visible focus', window.unseen), ...described('not reached', window.controls)];
})()`;

browserTest.each(['1280x720', '390x844'] as const)(
  'at %s, Tab reaches every control of every page, and the focus is visible',
  async name => {
    const { origin } = await startFilled();
    const { page } = await openPage({ viewport: SIZES[name] });
    const pending = countPending(page);
    const found: Record<string, string[]> = {};
    for (const place of sample(await pagesOf(page, origin, pending), 3)) {
      await load(page, origin, place, pending);
      const stops = await page.evaluate<number>(FIND_CONTROLS);
      // The browser handles them in order.
      const tabs = Array.from({ length: stops + 2 }, () => [
        page.keyboard.down('Tab'),
        page.keyboard.up('Tab'),
      ]);
      await Promise.all(tabs.flat());
      const problems = await page.evaluate<string[]>(PROBLEMS);
      if (problems.length > 0) found[place] = problems;
    }
    expect(found).toEqual({});
  },
);
