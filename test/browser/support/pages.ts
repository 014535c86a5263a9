import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { ALL_TYPES, fakeReceiver, HOOKS, SECRET } from '../../support/receiver.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

/** The sizes at which every page is looked at. */
export const SIZES = {
  '1440x900': { width: 1440, height: 900 },
  '1280x720': { width: 1280, height: 720 },
  '834x1112': { width: 834, height: 1112 },
  '390x844': { width: 390, height: 844 },
  '1280x720 at 200 %': { width: 640, height: 360 },
} as const;
/** Records of the `starter` fixture, the first row of what has no fixed id, tabs, and lists with filters. */
const RECORDS = [
  '/dashboard#/cardholders/ch_mia_approved',
  '/dashboard#/cards/card_mia_active',
  '/dashboard#/share-tokens/tok_ana_approve',
  '/dashboard#/kyc-sessions/kycs_omar_pending',
  '/dashboard#/activity/FIRST',
  '/dashboard#/activity?control=shown',
  '/dashboard#/activity?errors=grouped',
  '/dashboard#/webhooks/FIRST',
  '/dashboard#/webhook-settings',
];
/** Resolves in the page once it has been painted. */
export const TWO_FRAMES =
  'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))';

/** Returns a function that returns the number of requests of a page that have not ended, without the event stream. */
export function countPending(page: Page): () => number {
  const pending = new Set<Request>();
  page.on('request', request => {
    if (!new URL(request.url()).pathname.endsWith('/stream')) pending.add(request);
  });
  page.on('requestfinished', request => pending.delete(request));
  page.on('requestfailed', request => pending.delete(request));
  return () => pending.size;
}

/** Waits until a page has shown all responses, and has sent no request because of them. */
export async function settle(page: Page, pending: () => number): Promise<void> {
  await expect
    .poll(async () => {
      const before = pending();
      await page.evaluate(
        `Promise.resolve(window.arrivals).then(() => ${TWO_FRAMES}).then(() => ${TWO_FRAMES})`,
      );
      return before + pending();
    })
    .toBe(0);
}

/**
 * A script for a page that lets the responses of the control plane arrive one by one, each in frames of its own, so that a
 * part of the page that moves another one is seen whatever the order and the speed are. `settle` waits for the last.
 */
export const SEPARATE_RESPONSES = `{
  const { fetch } = window;
  window.arrivals = Promise.resolve();
  window.fetch = (...request) => {
    const response = fetch(...request);
    if (/\\/stream\\b/.test(request[0])) return response;
    const arrival = window.arrivals.then(() => response);
    window.arrivals = arrival.then(() => ${TWO_FRAMES}, () => undefined);
    return arrival;
  };
}`;

/**
 * Opens a page of the dashboard from nothing, so that its shifts are those of its first load, and waits until everything
 * on it is loaded. `pending` counts the requests of the page.
 */
export async function load(page: Page, origin: string, place: string, pending: () => number): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${origin}${place.replace('/FIRST', '')}`);
  await show(page, place, pending);
}

/** Goes to a page of the dashboard that is open, and waits until everything on it is loaded. */
export async function goToPlace(page: Page, place: string, pending: () => number): Promise<void> {
  const target = place.replace('/FIRST', '');
  const { origin, pathname } = new URL(page.url());
  // The presenter is a page of its own.
  if (pathname === target.split('#')[0])
    await page.evaluate(`location.hash = ${JSON.stringify(target.split('#')[1])}`);
  else await page.goto(origin + target);
  await show(page, place, pending);
}

async function show(page: Page, place: string, pending: () => number): Promise<void> {
  await page.locator('h1').first().waitFor();
  // The presenter has no menu.
  if ((await page.locator('#menu').count()) > 0)
    await page.locator('.live-dot.live').waitFor({ state: 'attached' });
  // Texts that are not loaded yet, such as the version, are dots. Buttons of the clock are replaced with them.
  const frame = page.locator('.sidebar, .clock-bar');
  await expect.poll(async () => (await frame.allTextContents()).join()).not.toContain('…');
  await settle(page, pending);
  if (place.endsWith('/FIRST')) {
    await page.locator('.row').first().click();
    await page.locator('.detail h2').first().waitFor();
    await settle(page, pending);
  }
}

/** A sandbox that has something on every page. */
export async function startFilled() {
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

/** The pages in the menu, some records, and a page that does not exist. */
export async function pagesOf(page: Page, origin: string, pending: () => number): Promise<string[]> {
  await load(page, origin, '/dashboard', pending);
  const menu = await page.evaluate<string[]>(
    `[...document.querySelectorAll('#menu a[href]')].map(link => link.href.slice(location.origin.length))`,
  );
  return [...new Set(menu), ...RECORDS, '/dashboard#/nothing'];
}
