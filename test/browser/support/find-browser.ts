import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const COMMANDS = [
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
const INSTALL_LIMIT_MS = 300_000;

/**
 * Returns the path of a Chromium: the one in CHROME_PATH, else one of this machine, else one that it installs where it
 * may. Returns null when there is none. Throws when the file in CHROME_PATH does not exist.
 */
export function findBrowser(): string | null {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named;
    throw new Error(`CHROME_PATH is set to a file that does not exist: ${named}`);
  }
  return onThisMachine() ?? (install() ? onThisMachine() : null);
}

function onThisMachine(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = COMMANDS.flatMap(command => folders.map(folder => join(folder, command)));
  const all = [...onPath, chromium.executablePath(), ...INSTALLED];
  return all.find(file => existsSync(file)) ?? null;
}

/** Installs Debian's Chromium when this process is root. */
function install(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const apt = 'apt-get -qq -o DPkg::Lock::Timeout=120';
  const script = `command -v chromium || (${apt} update && ${apt} install -y --no-install-recommends chromium)`;
  // Concurrent test processes wait for each other: an update of apt fails at once while another one runs.
  const lock = join(tmpdir(), 'card-sandbox-install-chromium.lock');
  try {
    execFileSync('flock', [lock, 'sh', '-c', script], {
      stdio: 'ignore',
      timeout: INSTALL_LIMIT_MS,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return true;
  } catch {
    return false;
  }
}
