import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WANTED = join(import.meta.dirname, 'package.json');

/** Where the tools are, and where the tests put what they generate: inside, so that generated code finds its packages. */
export const TOOLS = join(import.meta.dirname, '../../../node_modules/.cache/contract-tools');

/** Installs the tools at their pinned versions, unless they are there. It needs the npm registry the first time. */
export function setup(): void {
  const installed = join(TOOLS, 'installed.json');
  const wanted = readFileSync(WANTED, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  mkdirSync(TOOLS, { recursive: true });
  copyFileSync(WANTED, join(TOOLS, 'package.json'));
  // Without a shell of its own `npm` is a script, which Windows does not start.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: TOOLS,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  writeFileSync(installed, wanted);
}
