import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished, test } from 'vitest';
import { findBrowser } from './find-browser.ts';

const executablePath = findBrowser();
if (executablePath === null) {
  const message =
    'browser tests need Chromium, Chrome or Edge: install one or set CHROME_PATH to its executable';
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`skipped: ${message}`);
}

/** `test` for tests that need a browser. They are skipped when there is none, except in CI. */
export const browserTest = test.skipIf(executablePath === null);

/** Window size and device features. */
export const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>;

/** Options of a page. The others are Playwright's options for a context. */
export interface PageOptions extends BrowserContextOptions {
  /** The first URL to open. */
  readonly url?: string;
  /** Default: `desktop`. */
  readonly device?: keyof typeof DEVICES;
}

/** A page with its errors and requests. */
export interface OpenedPage {
  readonly page: Page;
  /** Messages of uncaught script errors, in order. */
  readonly scriptErrors: string[];
  /** Error messages in the console, including violations of the content security policy. */
  readonly consoleErrors: string[];
}

let running: Promise<Browser> | undefined;

/** Returns the browser of this process, which all test files of the process share. It ends with the process. */
function browser(): Promise<Browser> {
  running ??= chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    // Chromium's sandbox does not work for root, the usual user of a container.
    chromiumSandbox: process.getuid !== undefined && process.getuid() !== 0,
    // Tests resolve these names to this machine, as DNS rebinding does.
    args: ['--disable-dev-shm-usage', '--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  });
  return running;
}

/** Opens a page in its own profile, without cookies and permissions. The profile is closed when the test ends. */
export async function openPage({
  url,
  device = 'desktop',
  ...options
}: PageOptions = {}): Promise<OpenedPage> {
  const context = await (await browser()).newContext({
    ...DEVICES[device],
    // Playwright waits for the end of transitions before it clicks.
    reducedMotion: 'reduce',
    ...options,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const opened: OpenedPage = { page, scriptErrors: [], consoleErrors: [] };
  page.on('pageerror', error => opened.scriptErrors.push(error.message));
  page.on('console', message => {
    if (message.type() === 'error') opened.consoleErrors.push(message.text());
  });
  if (url !== undefined) await page.goto(url);
  return opened;
}
