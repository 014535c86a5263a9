import { join } from 'node:path';
import { nodeProgramIn } from '../../support/proof/install-packages.js';

/** The folder of the tools. Tests put generated code into it, so that the code finds its packages. */
export const TOOLS = join(import.meta.dirname, '../../../node_modules/.cache/contract-tools');

/** The supported versions of Node.js, the newest last. */
export const NODES = /** @type {const} */ (['20', '22', '24', '26']);

/**
 * The executable of a version of Node.js.
 *
 * @param {(typeof NODES)[number]} version
 */
export function nodeProgram(version) {
  return nodeProgramIn(TOOLS, version);
}
