import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a manifest, at its pinned versions, into a folder of their own, unless they are there; with
 * them the newest of each version of Node.js that is named. It needs the npm registry the first time.
 *
 * @param {string} manifest path of a package.json
 * @param {string} folder
 * @param {readonly string[]} nodes
 */
export function installPackages(manifest, folder, nodes) {
  const installed = join(folder, 'installed.json');
  const wanted = withNodes(manifest, nodes);
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), wanted);
  // Without a shell of its own `npm` is a script, which Windows does not start.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  writeFileSync(installed, wanted);
}

/**
 * The program of a version of Node.js that was installed into the folder.
 *
 * @param {string} folder
 * @param {string} version
 */
export function nodeProgramIn(folder, version) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', `node-${version}`, 'bin', file);
}

/**
 * The manifest with each Node.js for this machine: what the npm package `node` would run a script to get.
 *
 * @param {string} manifest
 * @param {readonly string[]} versions
 */
function withNodes(manifest, versions) {
  const given = JSON.parse(readFileSync(manifest, 'utf8'));
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const nodes = versions.map(version => [
    `node-${version}`,
    `npm:node-${platform}-${process.arch}@${version}`,
  ]);
  const dependencies = { ...given.dependencies, ...Object.fromEntries(nodes) };
  return `${JSON.stringify({ ...given, dependencies }, null, 2)}\n`;
}
