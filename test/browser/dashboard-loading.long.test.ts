import { expect } from 'vitest';
import { startSandbox } from '../support/sandbox.ts';
import { browserTest, openPage } from './support/browser.ts';
import { goTo, waitForText } from './support/dashboard.ts';
import { countPending, load } from './support/pages.ts';
import { startSite } from './support/site.ts';

browserTest('the page offers curl commands once it knows the names in them', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'], names: { service: 'acme' } });
  await fetch(`${sandbox.origin}/v1/partner/cards`);
  const { page } = await openPage();
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/_sandbox/info', route => released.then(() => route.continue()));
  await page.goto(`${sandbox.origin}/dashboard`);
  await waitForText(page, '.clock-now', 'frozen');
  expect(await page.locator('.connect').textContent()).toBe('');
  await goTo(page, '#/activity');
  await page.locator('.row').first().click();
  await waitForText(page, '.detail .actions', 'Edit and send again');
  const copy = page.getByRole('button', { name: 'Copy as curl' });
  expect(await copy.count()).toBe(0);
  release();
  await copy.waitFor();
  await goTo(page, '#/home');
  await waitForText(page, '.connect-label', 'x-acme-api-key');
});

browserTest.each([
  ['?', {}, 'dialog[open].shortcuts'],
  ['k', { ctrlKey: true }, '[data-search]:focus'],
] as const)('the key %s works as soon as the page is there', async (key, modifiers, shown) => {
  const { origin } = await startSandbox();
  const { page } = await openPage();
  const options = JSON.stringify({ key, ...modifiers, bubbles: true });
  await page.addInitScript(`
    const observer = new MutationObserver(() => {
      if (document.querySelector('.shell') === null) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', ${options}));
    });
    observer.observe(document, { childList: true, subtree: true });`);
  await page.goto(`${origin}/dashboard#/cardholders`);
  await page.locator(shown).waitFor();
});

const MAX_BYTES = 260_000;
const MAX_PAINT_MS = 200;
/** The limit on a slow machine, which paints the empty page late, too. */
const MAX_PAINT_RATIO = 4;
/** A busy machine paints late now and then. One of these rounds shows what the page itself needs. */
const PAINT_ROUNDS = 10;

browserTest(
  'the first visit transfers at most 260 kB, and paints soon after an empty page does',
  async () => {
    const sandbox = await startSandbox({ fixtures: ['starter'] });
    const { page } = await openPage();
    const session = await page.context().newCDPSession(page);
    let bytes = 0;
    await session.send('Network.enable');
    session.on('Network.dataReceived', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    const pending = countPending(page);
    await load(page, sandbox.origin, '/dashboard', pending);
    console.info(`the first visit transfers ${Math.round(bytes / 1_000)} kB`);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);

    const { origin: empty } = await startSite({ '/': '<!doctype html><title>Empty</title><p>Empty</p>' });
    const paintOf = async (url: string) => {
      const { page: fresh } = await openPage({ url });
      const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;
      await expect.poll(() => fresh.evaluate<number>(paint)).toBeGreaterThan(0);
      const time = await fresh.evaluate<number>(paint);
      await fresh.context().close();
      return time;
    };
    const differences: number[] = [];
    let isSoon = false;
    while (differences.length < PAINT_ROUNDS && !isSoon) {
      const [before, after] = [await paintOf(empty), await paintOf(`${sandbox.origin}/dashboard`)];
      differences.push(Math.round(after - before));
      isSoon = after - before <= Math.max(MAX_PAINT_MS, MAX_PAINT_RATIO * before);
    }
    console.info(`first paint after that of an empty page, in ms: ${differences.join(' ')}`);
    expect(isSoon).toBe(true);
  },
);
