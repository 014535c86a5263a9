import { join } from 'node:path';
import { installPackages, nodeProgramIn } from '../../support/proof/install-packages.js';

/** Where the tools are, and where the tests put what they generate: inside, so that generated code finds its packages. */
export const TOOLS = join(import.meta.dirname, '../../../node_modules/.cache/contract-tools');

/** The versions of Node.js that the package is for. */
export const NODES = ['20', '22', '24', '26'] as const;

/** The program of another version of Node.js. */
export function nodeProgram(version: (typeof NODES)[number]): string {
  return nodeProgramIn(TOOLS, version);
}

/**
 * Installs the tools at their pinned versions and the newest of each Node.js, unless they are there. It needs the npm
 * registry the first time.
 */
export function setup(): void {
  installPackages(join(import.meta.dirname, 'package.json'), TOOLS, NODES);
}
