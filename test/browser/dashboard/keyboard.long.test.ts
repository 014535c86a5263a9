import { expect } from 'vitest';
import { browserTest, openPage } from '../support/browser.ts';
import { countPending, load, pagesOf, SIZES, startFilled } from '../support/pages.ts';

/** Finds the controls that can be used now, and returns how often Tab stops at them: once at each part of a time. */
const FIND_CONTROLS = `(() => {
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  window.controls = new Set([...document.querySelectorAll(selector)].filter(each =>
    !each.disabled && each.checkVisibility({ visibilityProperty: true }) && each.tabIndex >= 0));
  const times = [...window.controls].filter(each => each.type === 'datetime-local').length;
  return window.controls.size + 8 * times;
})()`;
/** Removes the control that has the focus. Returns its description if the focus cannot be seen. */
const VISIT_CONTROL = `(() => {
  const focused = document.activeElement;
  window.controls.delete(focused);
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const isSeen = focused === document.body || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2);
  return isSeen ? '' : 'no visible focus: ' + focused.outerHTML.slice(0, 120);
})()`;
const LEFT_CONTROLS = `[...window.controls].map(each => 'not reached: ' + each.outerHTML.slice(0, 120))`;

browserTest.each(['1280x720', '390x844'] as const)(
  'at %s, Tab reaches every control of every page, and the focus is visible',
  async name => {
    const { origin } = await startFilled();
    const { page } = await openPage({ viewport: SIZES[name] });
    const pending = countPending(page);
    const found: Record<string, string[]> = {};
    for (const place of await pagesOf(page, origin, pending)) {
      await load(page, origin, place, pending);
      const stops = await page.evaluate<number>(FIND_CONTROLS);
      const problems: string[] = [];
      for (let pressed = 0; pressed < stops + 2; pressed++) {
        await page.keyboard.press('Tab');
        const problem = await page.evaluate<string>(VISIT_CONTROL);
        if (problem !== '') problems.push(problem);
      }
      problems.push(...(await page.evaluate<string[]>(LEFT_CONTROLS)));
      if (problems.length > 0) found[place] = problems;
    }
    expect(found).toEqual({});
  },
  300_000,
);
