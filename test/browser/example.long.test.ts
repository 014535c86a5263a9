import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startProcess } from '../support/cli-process.ts';
import { ACME_KEY, startSandbox } from '../support/sandbox.ts';
import { violations } from './support/accessibility.ts';
import { browserTest, openPage } from './support/browser.ts';

const SERVER = fileURLToPath(new URL('../../examples/reveal-iframe/server.js', import.meta.url));

browserTest('the example app shows a card in its own style, with a new link at every click', async () => {
  const { origin } = await startSandbox({ fixtures: ['starter'] });
  const app = startProcess(process.execPath, [SERVER], {
    PORT: '0',
    SERVICE_BASE_URL: `${origin}/v1`,
    SERVICE_API_KEY: ACME_KEY,
  });
  const [url] = await app.printed(/http:\S+/);
  const { page, consoleErrors } = await openPage({ url });
  const frame = page.frameLocator('iframe');
  const number = frame.locator('.reveal-number');
  for (let press = 0; press < 2; press++) {
    const shown = page.waitForResponse(response => response.url().startsWith(`${origin}/reveal/`));
    await page.getByRole('button', { name: 'Show card' }).click();
    expect((await shown).status()).toBe(200);
    await number.waitFor();
  }
  expect(await number.textContent()).toMatch(/^4242 /);
  const background = `getComputedStyle(document.querySelector('.reveal-card')).backgroundImage`;
  // The text of the card is there before the app's style sheet is.
  await expect.poll(() => page.frames()[1]?.evaluate(background)).toContain('linear-gradient(160deg');
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors).toEqual([]);
});
