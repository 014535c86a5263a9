import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestSandbox } from '../../support/sandbox.ts';
import { type OpenedPage, openPage, type PageOptions } from './browser.ts';

/** Opens the dashboard at a hash, for example `#/cards`, and waits until it is connected. */
export async function openDashboard(
  { origin }: Pick<TestSandbox, 'origin'>,
  hash = '',
  options: PageOptions = {},
): Promise<OpenedPage> {
  const opened = await openPage({ url: `${origin}/dashboard${hash}`, ...options });
  await opened.page.locator('.live-dot.live').waitFor({ state: 'attached' });
  return opened;
}

/** Clicks the button with this name on the page. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
}

/** Clicks the button with this name in the open dialog. */
export async function confirm(page: Page, name: string): Promise<void> {
  await page.locator('dialog[open]').getByRole('button', { name, exact: true }).click();
}

/** Goes to a hash of the dashboard without reloading it. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** Fills in fields by their labels. */
export async function fillIn(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = page.getByLabel(label).first();
    if ((await field.evaluate(each => each.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Waits until an element that matches the selector contains the text. Fails with the texts that are there. */
export async function waitForText(page: Page, selector: string, text: string): Promise<void> {
  const found = page.locator(selector).filter({ hasText: text }).first();
  await found.waitFor({ state: 'visible' }).catch(async () => {
    expect(await page.locator(selector).allTextContents()).toContain(text);
  });
}
