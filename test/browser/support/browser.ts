import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished, test } from 'vitest';
import { findBrowser } from './find-browser.ts';

const executablePath = findBrowser();
if (executablePath === null) {
  const message =
    'browser tests need Chromium, Chrome or Edge: install one, or name it in the variable CHROME_PATH';
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`skipped: ${message}`);
}

/** `test` for tests that need a browser; skipped where there is none, except in CI. */
export const browserTest = test.skipIf(executablePath === null);

/** How large a window is, and what kind of device it is on. */
export const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>;

/** What a page is opened with; the rest are Playwright's own options for a context. */
export interface PageOptions extends BrowserContextOptions {
  /** Where to go first. */
  readonly url?: string;
  /** Default: `desktop`. */
  readonly device?: keyof typeof DEVICES;
}

/** A page, and what went wrong in it. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors that scripts of the page threw and left, in order. */
  readonly scriptErrors: string[];
  /** Errors in its console, refusals of its content security policy among them. */
  readonly consoleErrors: string[];
  /** Every URL that it asked for. */
  readonly requested: string[];
}

let running: Promise<Browser> | undefined;

/** The one browser of this process, with which it ends: files that come one after the other share it. */
function browser(): Promise<Browser> {
  running ??= chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    // Root, the usual user of a container, cannot use Chromium's sandbox.
    chromiumSandbox: process.getuid !== undefined && process.getuid() !== 0,
    // Names that a test can have lead here, as a rebound DNS name does.
    args: ['--disable-dev-shm-usage', '--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  });
  return running;
}

/** Opens a page in a profile of its own (no cookies, no permissions), which is closed when the test ends. */
export async function openPage({
  url,
  device = 'desktop',
  ...options
}: PageOptions = {}): Promise<OpenedPage> {
  const context = await (await browser()).newContext({ ...DEVICES[device], ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const opened: OpenedPage = { page, scriptErrors: [], consoleErrors: [], requested: [] };
  page.on('pageerror', error => opened.scriptErrors.push(error.message));
  page.on('request', request => opened.requested.push(request.url()));
  page.on('console', message => {
    if (message.type() === 'error') opened.consoleErrors.push(message.text());
  });
  if (url !== undefined) await page.goto(url);
  return opened;
}
