<<<<<<< HEAD
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
=======
>>>>>>> f159c49 (Measure each figure of speed in one run, beside a bare server, bare Express and the others of its kind)
import { join } from 'node:path';
import { installPackages } from '../../support/install-packages.js';

/** Where the tools are, and where the tests put what they generate: inside, so that generated code finds its packages. */
export const TOOLS = join(import.meta.dirname, '../../../node_modules/.cache/contract-tools');

/** The versions of Node.js that the package is for. */
export const NODES = ['20', '22', '24', '26'] as const;

/** The program of another version of Node.js. */
export function nodeProgram(version: (typeof NODES)[number]): string {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(TOOLS, 'node_modules', `node-${version}`, 'bin', file);
}

/**
 * Installs the tools at their pinned versions and the newest of each Node.js, unless they are there. It needs the npm
 * registry the first time.
 */
export function setup(): void {
<<<<<<< HEAD
  const installed = join(TOOLS, 'installed.json');
  const wanted = wantedTools();
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  mkdirSync(TOOLS, { recursive: true });
  writeFileSync(join(TOOLS, 'package.json'), wanted);
  // Without a shell of its own `npm` is a script, which Windows does not start.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: TOOLS,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  writeFileSync(installed, wanted);
=======
  installPackages(join(import.meta.dirname, 'package.json'), TOOLS);
>>>>>>> f159c49 (Measure each figure of speed in one run, beside a bare server, bare Express and the others of its kind)
}

/** The manifest of the tools, with each Node.js for this machine: what the npm package `node` would run a script to get. */
function wantedTools(): string {
  const manifest = JSON.parse(readFileSync(WANTED, 'utf8'));
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const nodes = NODES.map(version => [`node-${version}`, `npm:node-${platform}-${process.arch}@${version}`]);
  const dependencies = { ...manifest.dependencies, ...Object.fromEntries(nodes) };
  return `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`;
}
