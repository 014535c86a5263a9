import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../../support/proof/install-packages.js';
import { ROOT } from './areas.js';

const TOOLS = join(ROOT, 'node_modules/.cache/card-sandbox/mutation');
const INSTRUMENTER = 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js';

/**
 * Writes copies of source files that contain all mutants, each inactive, into a folder. Returns the mutants. npm installs
 * the instrumenter on the first run.
 *
 * @param {string[]} files relative to the root
 * @param {string} folder
 */
export async function instrument(files, folder) {
  installPackages(join(import.meta.dirname, 'package.json'), TOOLS, []);
  const { Instrumenter } = await import(pathToFileURL(join(TOOLS, INSTRUMENTER)).href);
  const originals = files.map(name => ({
    name,
    mutate: true,
    content: readFileSync(join(ROOT, name), 'utf8'),
  }));
  const options = { plugins: null, ignorers: [], excludedMutations: [] };
  const silent = { debug() {}, info() {}, isDebugEnabled: () => false };
  const copies = await new Instrumenter(silent).instrument(originals, options);
  for (const { name, content } of copies.files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return copies.mutants.map(({ id, fileName, mutatorName, location, replacement }) => ({
    id,
    file: fileName,
    line: location.start.line + 1,
    column: location.start.column + 1,
    kind: mutatorName,
    replacement,
  }));
}
