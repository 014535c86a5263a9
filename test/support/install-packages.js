import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a manifest, at its pinned versions, into a folder of their own, unless they are there. It
 * needs the npm registry the first time. No package runs a script of its own but those named in `built`.
 *
 * @param {string} manifest path of a package.json
 * @param {string} folder
 * @param {readonly string[]} [built]
 */
export function installPackages(manifest, folder, built = []) {
  const installed = join(folder, 'installed.json');
  const wanted = readFileSync(manifest, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, join(folder, 'package.json'));
  npm(folder, ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']);
  if (built.length > 0) npm(folder, ['rebuild', ...built, '--loglevel=error']);
  writeFileSync(installed, wanted);
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 */
function npm(folder, args) {
  // Without a shell of its own `npm` is a script, which Windows does not start.
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
}
