import { join } from 'node:path';
import { installPackages } from '../../support/proof/install-packages.js';
import { NODES, TOOLS } from './nodes.js';

/** Where MSW 3 is. */
export const MSW_3 = join(import.meta.dirname, '../../../node_modules/.cache/msw-3');

/** Where Jest and the oldest supported MSW are. */
export const JEST = join(import.meta.dirname, '../../../node_modules/.cache/jest');

/** Whether this Node.js can run MSW 3, which needs 22.12. */
export function runsMsw3(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12);
}

/**
 * Installs the tools at their pinned versions, the newest release of each Node.js, Jest, and MSW 3 where it runs,
 * unless they are installed. Needs the npm registry the first time.
 */
export function setup(): void {
  installPackages(join(import.meta.dirname, 'package.json'), TOOLS, NODES);
  installPackages(join(import.meta.dirname, '../jest/package.json'), JEST, []);
  if (runsMsw3()) installPackages(join(import.meta.dirname, '../msw-3/package.json'), MSW_3, []);
}
