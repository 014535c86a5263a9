import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Installs the packages of a manifest, at its pinned versions, into a folder, together with the newest release of each
 * named Node.js version. Does nothing when they are installed. Needs the npm registry the first time.
 *
 * @param {string} manifest path of a package.json
 * @param {string} folder
 * @param {readonly string[]} nodeVersions
 */
export function installPackages(manifest, folder, nodeVersions) {
  const installed = join(folder, 'installed.json');
  const expected = withNodeVersions(manifest, nodeVersions);
  const isInstalled = () => existsSync(installed) && readFileSync(installed, 'utf8') === expected;
  if (isInstalled()) return;
  mkdirSync(dirname(folder), { recursive: true });
  // Two test processes may install the same packages at the same time, so each does it in a folder of its own.
  const draft = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(draft, 'package.json'), expected);
    // On Windows npm is a script, which needs a shell.
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
      cwd: draft,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    writeFileSync(join(draft, 'installed.json'), expected);
    if (existsSync(folder) && !isInstalled()) rmSync(folder, { recursive: true });
    renameSync(draft, folder);
  } catch (error) {
    if (!isInstalled()) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * The path of a Node.js version that was installed into the folder.
 *
 * @param {string} folder
 * @param {string} version
 */
export function nodeProgramIn(folder, version) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', `node-${version}`, 'bin', file);
}

/**
 * The manifest with each Node.js version for this platform, which the npm package `node` would install with a script.
 *
 * @param {string} manifest
 * @param {readonly string[]} versions
 */
function withNodeVersions(manifest, versions) {
  const original = JSON.parse(readFileSync(manifest, 'utf8'));
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const nodes = versions.map(version => [
    `node-${version}`,
    `npm:node-${platform}-${process.arch}@${version}`,
  ]);
  const dependencies = { ...original.dependencies, ...Object.fromEntries(nodes) };
  return `${JSON.stringify({ ...original, dependencies }, null, 2)}\n`;
}
