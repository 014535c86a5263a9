import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createCard } from '../support/cardholders.ts';
import { createRevealLink, requestRevealLink } from '../support/pages.ts';
import { startSandbox } from '../support/sandbox.ts';
import { violations } from './support/accessibility.ts';
import { browserTest, openPage } from './support/browser.ts';
import { framing, startSite } from './support/site.ts';

const NUMBER = /^4242 42\d\d \d{4} \d{4}$/;

browserTest('a frame in the app of another origin shows the card once', async () => {
  const sandbox = await startSandbox();
  const site = await startSite({ '/app': framing(await createRevealLink(sandbox)) });
  const { page, consoleErrors } = await openPage({ url: `${site.origin}/app` });
  const frame = page.frameLocator('iframe');
  expect(await frame.locator('.reveal-number').textContent()).toMatch(NUMBER);
  expect(await frame.locator('.reveal-cvv').textContent()).toMatch(/^\d{3}$/);
  expect(await frame.locator('.reveal-expiry').textContent()).toBe('03/30');
  expect(consoleErrors).toEqual([]);
  await page.reload();
  expect(await frame.getByRole('heading').textContent()).toBe('This link was already used');
});

browserTest('only allowed origins can frame the card', async () => {
  const sandbox = await startSandbox();
  const [mine, other] = [await startSite(), await startSite()];
  await sandbox.control('PATCH', '/partners/partner_acme/settings', { allowedOrigins: [mine.origin] });
  const card = await createCard(sandbox);
  for (const site of [mine, other]) {
    site.serve({ '/app': framing(await requestRevealLink(sandbox, card.id)) });
    const { page, consoleErrors } = await openPage({ url: `${site.origin}/app` });
    const shown = page.frameLocator('iframe').locator('.reveal-number');
    if (site === mine) await shown.waitFor();
    else await expect.poll(() => consoleErrors.join('\n')).toContain('frame-ancestors');
    expect(await shown.count()).toBe(site === mine ? 1 : 0);
    expect(consoleErrors.some(text => text.includes('frame-ancestors'))).toBe(site === other);
  }
});

browserTest('without allowed origins, pages without an origin of their own can frame the card', async () => {
  const sandbox = await startSandbox();
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'app.html');
  writeFileSync(file, framing(await createRevealLink(sandbox)));
  const fromFile = await openPage({ url: pathToFileURL(file).href });
  const blank = await openPage();
  await blank.page.setContent(framing(await createRevealLink(sandbox)));
  const sandboxed = await openPage();
  const inner = framing(await createRevealLink(sandbox))
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;');
  await sandboxed.page.setContent(`<iframe sandbox srcdoc="${inner}"></iframe>`);
  for (const { page, consoleErrors } of [fromFile, blank]) {
    expect(await page.frameLocator('iframe').locator('.reveal-number').textContent()).toMatch(NUMBER);
    expect(consoleErrors).toEqual([]);
  }
  const nested = sandboxed.page.frameLocator('iframe').frameLocator('iframe');
  expect(await nested.locator('.reveal-number').textContent()).toMatch(NUMBER);
});

browserTest(
  "the partner's style sheet overrides the default one, with fonts and images of its own origin",
  async () => {
    const body = `
    @font-face { font-family: Brand; src: url('/brand.woff2'); }
    .reveal-card { background: rgb(1, 2, 3) url('images/logo.svg'); }
    .reveal-number { color: rgb(4, 5, 6); font-family: Brand; }`;
    const image = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const site = await startSite({
      '/style/card.css': { type: 'text/css', body },
      '/style/images/logo.svg': { type: 'image/svg+xml', body: image },
      '/brand.woff2': { type: 'font/woff2', body: readFileSync('src/dashboard/fonts/inter.woff2') },
    });
    const sandbox = await startSandbox();
    const url = await createRevealLink(sandbox, { stylesheetUrl: `${site.origin}/style/card.css` });
    const { page, consoleErrors } = await openPage({ url });
    const styleOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    expect(await styleOf('.reveal-card', 'backgroundColor')).toBe('rgb(1, 2, 3)');
    expect(await styleOf('.reveal-number', 'color')).toBe('rgb(4, 5, 6)');
    await expect.poll(() => page.evaluate('[...document.fonts][0].status')).toBe('loaded');
    await expect
      .poll(() => site.visited.toSorted())
      .toEqual(['/brand.woff2', '/style/card.css', '/style/images/logo.svg']);
    expect(consoleErrors).toEqual([]);
  },
);

/** Pastes the clipboard into the notes of the app, once the browser has taken the focus from the frame. */
async function pasteIntoNotes(page: Page): Promise<void> {
  await page.getByLabel('Notes').focus();
  await expect.poll(() => page.frames()[1]?.evaluate('document.hasFocus()')).toBe(false);
  await page.keyboard.press('ControlOrMeta+V');
}

browserTest(
  'with copyPan a button copies the digits, without permission to write to the clipboard',
  async () => {
    const sandbox = await startSandbox();
    const url = await createRevealLink(sandbox, { copyPan: true });
    const site = await startSite({ '/app': framing(url) });
    const { page, scriptErrors } = await openPage({ url: `${site.origin}/app` });
    const frame = page.frameLocator('iframe');
    const shown = (await frame.locator('.reveal-number').textContent()) ?? '';
    await frame.getByRole('button', { name: 'Copy number' }).click();
    await frame.getByRole('status').getByText('Copied', { exact: true }).waitFor();
    await pasteIntoNotes(page);
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe(shown.replaceAll(' ', ''));
    expect(scriptErrors).toEqual([]);
  },
);

browserTest('a number that the browser refuses to copy is selected, and not called copied', async () => {
  const sandbox = await startSandbox();
  const { page } = await openPage();
  await page.addInitScript(`
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
    document.execCommand = () => false;`);
  await page.goto(await createRevealLink(sandbox, { copyPan: true }));
  await page.getByRole('button', { name: 'Copy number' }).click();
  await page.getByRole('status').getByText('Selected: press Ctrl+C to copy').waitFor();
  const selected = await page.evaluate('getSelection().toString()');
  expect(selected).toBe(await page.locator('.reveal-number').textContent());
});

browserTest('with permission to write to the clipboard, the button also works by keyboard', async () => {
  const sandbox = await startSandbox();
  const site = await startSite({
    '/app': framing(await createRevealLink(sandbox, { copyPan: true }), 'allow="clipboard-write"'),
  });
  const { page } = await openPage({ url: `${site.origin}/app`, permissions: ['clipboard-write'] });
  const frame = page.frameLocator('iframe');
  const shown = (await frame.locator('.reveal-number').textContent()) ?? '';
  await frame.getByRole('button').focus();
  // The frame is in a process of its own: the browser sends it keys once the page knows that it has the focus.
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
  await page.keyboard.press('Enter');
  await frame.getByText('Copied', { exact: true }).waitFor();
  await pasteIntoNotes(page);
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe(shown.replaceAll(' ', ''));
});

browserTest.each([
  '<script>window.hacked = 1</script>',
  `<img src=x onerror="window.hacked = 1">`,
  `</title></style></script><svg onload="window.hacked = 1">`,
])('the name %s is shown as text and does not run', async nameOnCard => {
  const sandbox = await startSandbox();
  const { id } = await createCard(sandbox, { nameOnCard });
  const { page, consoleErrors } = await openPage({
    url: await requestRevealLink(sandbox, id, { copyPan: true }),
  });
  expect(await page.locator('.reveal-name').textContent()).toBe(nameOnCard);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(consoleErrors).toEqual([]);
});

browserTest('a script in the style sheet URL or at it does not run', async () => {
  const site = await startSite({ '/card.css': { type: 'text/javascript', body: 'window.hacked = 1' } });
  const sandbox = await startSandbox();
  const { id } = await createCard(sandbox);
  const urls = [
    `${site.origin}/card.css`,
    `${site.origin}/"><script>window.hacked=1</script>`,
    `${site.origin}/'onload='window.hacked=1`,
    `${site.origin}/a;script-src%20*;script-src*`,
  ];
  for (const stylesheetUrl of urls) {
    const { page } = await openPage({ url: await requestRevealLink(sandbox, id, { stylesheetUrl }) });
    expect(await page.locator('.reveal-number').textContent()).toMatch(NUMBER);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  }
});

browserTest.each(['light', 'dark'] as const)(
  'the card page has no accessibility violation, %s',
  async colorScheme => {
    const sandbox = await startSandbox();
    const url = await createRevealLink(sandbox, { copyPan: true });
    const { page } = await openPage({ colorScheme });
    for (const [link, title] of [
      [url, 'Card details'],
      [url, 'This link was already used'],
      [`${url}0`, 'This link was changed'],
    ] as const) {
      await page.goto(link);
      expect(await page.title()).toBe(title);
      expect(await violations(page)).toEqual([]);
    }
  },
);

browserTest('the card fits on the narrowest phone, with the longest name', async () => {
  const sandbox = await startSandbox();
  const { id } = await createCard(sandbox, { nameOnCard: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3) });
  const { page } = await openPage({
    url: await requestRevealLink(sandbox, id, { copyPan: true }),
    viewport: { width: 320, height: 568 },
  });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});
