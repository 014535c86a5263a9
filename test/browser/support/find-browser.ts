import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findCommand, installPackage } from '../../support/debian-package.ts';

/** The Chromium of Debian without windows: pages take about half the time in it. */
const HEADLESS = 'chromium-headless-shell';

const COMMANDS = [
  HEADLESS,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'msedge',
];
/** Paths of browsers that are not on the search path. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter(folder => folder !== undefined)
    .flatMap(folder => [
      join(folder, 'Google/Chrome/Application/chrome.exe'),
      join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    ]),
];

/**
 * Returns the path of a Chromium: the one in CHROME_PATH, else one of this machine, else one that it installs where it
 * may. In CI it installs the fastest first. Returns null when there is none. Throws when the file in CHROME_PATH does not
 * exist.
 */
export function findBrowser(): string | null {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Error(`CHROME_PATH is set to a file that does not exist: ${named}`);
  }
  if (process.env.CI === 'true') installPackage(HEADLESS);
  return onThisMachine() ?? (installPackage('chromium') ? onThisMachine() : null);
}

function onThisMachine(): string | null {
  return (
    findCommand(COMMANDS) ?? [chromium.executablePath(), ...INSTALLED].find(file => existsSync(file)) ?? null
  );
}
