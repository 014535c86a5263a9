import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ALL_TYPES, fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';
import { violations } from '../support/accessibility.ts';
import { browserTest, openPage } from '../support/browser.ts';

const SIZES = {
  '1440x900': { width: 1440, height: 900 },
  '1280x720': { width: 1280, height: 720 },
  '834x1112': { width: 834, height: 1112 },
  '390x844': { width: 390, height: 844 },
  '1280x720 at 200 %': { width: 640, height: 360 },
} as const;
/** Records of the `starter` fixture, and the first row of what has no fixed id. */
const RECORDS = [
  '/dashboard#/cardholders/ch_mia_approved',
  '/dashboard#/cards/card_mia_active',
  '/dashboard#/tokens/idp1_test_approve_ana',
  '/dashboard#/sessions/kycs_omar_pending',
  '/dashboard#/requests/FIRST',
  '/dashboard#/deliveries/FIRST',
];
const MAX_SHIFT = 0.05;
const TWO_FRAMES = 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))';

/** Adds up the layout shifts that no input of the user caused. */
const OBSERVE_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) window.shifts.push({ value, of: sources.map(({ node, previousRect, currentRect }) => [node?.className ?? node?.nodeName, previousRect.x, previousRect.y, currentRect.x, currentRect.y].join(" ")) });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** What can be wrong with a page, by what it looks at. */
async function problemsOf(page: Page): Promise<string[]> {
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
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await violations(page)).map(each => `${colorScheme} ${each}`));
  }
  return problems;
}

/**
 * Lets the responses of the control plane arrive one by one, each in frames of its own, so that a part of the page that
 * moves another one is seen whatever the order and the speed are. Returns how many have not arrived.
 */
async function separateResponses(page: Page): Promise<() => number> {
  let pending = 0;
  let last = Promise.resolve();
  await page.route(
    url => url.pathname.startsWith('/_sandbox/') && !url.pathname.endsWith('/stream'),
    route => {
      pending += 1;
      last = last
        .then(async () => {
          await route.fulfill({ response: await route.fetch() });
          await page.evaluate(TWO_FRAMES);
        })
        // The page was left.
        .catch(() => undefined)
        .then(() => {
          pending -= 1;
        });
    },
  );
  return () => pending;
}

/** Opens a page of the dashboard from nothing, so that its shifts are those of its first load. */
async function load(page: Page, origin: string, place: string, pending: () => number): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${origin}${place.replace('/FIRST', '')}`);
  await page.locator('h1').first().waitFor();
  // The presenter has no menu.
  if ((await page.locator('#menu').count()) > 0)
    await page.locator('.live-dot.live').waitFor({ state: 'attached' });
  await expect.poll(pending, { timeout: 20_000 }).toBe(0);
  await page.evaluate(TWO_FRAMES);
  if (place.endsWith('/FIRST')) {
    await page.locator('.row').first().click();
    await page.locator('.detail').waitFor();
  }
}

/** A sandbox that has something on every page. */
async function startFilled() {
  const { transport } = fakeReceiver(() => 500);
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
  await sandbox.control('PATCH', '/webhooks/config?partnerId=partner_acme', {
    webhookUrl: HOOKS,
    webhookSecret: SECRET,
    subscribedEvents: ALL_TYPES,
  });
  await sandbox.api('GET', '/partner/cards/card_nobody');
  await sandbox.api('POST', '/partner/cardholders', newCardholder());
  await sandbox.control('POST', '/faults', { status: 503, times: 1 });
  return sandbox;
}

async function pagesOf(page: Page, origin: string, pending: () => number): Promise<string[]> {
  await load(page, origin, '/dashboard', pending);
  const menu = await page.evaluate<string[]>(
    `[...document.querySelectorAll('#menu a[href]')].map(link => link.href.slice(location.origin.length))`,
  );
  return [...new Set(menu), ...RECORDS, '/dashboard#/nothing'];
}

for (const [name, viewport] of Object.entries(SIZES)) {
  browserTest(
    `at ${name}, no page has a finding of axe, a layout shift, a side scroll, or more than one h1`,
    async () => {
      const { origin } = await startFilled();
      const { page, scriptErrors } = await openPage({ viewport });
      await page.addInitScript(OBSERVE_SHIFTS);
      const pending = await separateResponses(page);
      const found: Record<string, string[]> = {};
      for (const place of await pagesOf(page, origin, pending)) {
        await load(page, origin, place, pending);
        const problems = await problemsOf(page);
        if (problems.length > 0) found[place] = problems;
      }
      expect(found).toEqual({});
      expect(scriptErrors).toEqual([]);
    },
    300_000,
  );
}

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
    const found: Record<string, string[]> = {};
    for (const place of await pagesOf(page, origin, () => 0)) {
      await load(page, origin, place, () => 0);
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

browserTest.each(Object.entries(SIZES))(
  'at %s, menu, forms, help and toasts have no finding of axe',
  async (_, viewport) => {
    const { origin } = await startFilled();
    const { page } = await openPage({ viewport });
    await load(page, origin, '/dashboard#/faults', () => 0);
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
