import { join } from 'node:path';
import { installPackages, nodeProgramIn } from '../../support/processes/install-packages.js';

/** The folder of the tools. Tests put generated code into it, so that the code finds its packages. */
export const TOOLS = join(import.meta.dirname, '../../../node_modules/.cache/contract-tools');

/** The supported versions of Node.js. */
export const NODES = ['20', '22', '24', '26'] as const;

/** The executable of a version of Node.js. */
export function nodeProgram(version: (typeof NODES)[number]): string {
  return nodeProgramIn(TOOLS, version);
}

/**
 * Installs the tools at their pinned versions and the newest release of each Node.js, unless they are installed. Needs
 * the npm registry the first time.
 */
export function setup(): void {
  installPackages(join(import.meta.dirname, 'package.json'), TOOLS, NODES);
}
