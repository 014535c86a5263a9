// Runs the build unless the last one is newer than everything that it reads. `npm test` does this, since the build takes
// as long as many tests.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What the build reads. npm writes the lock file in `node_modules` with each install. */
const INPUTS = ['src', 'fixtures', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json'];

/** The file that the build removes first and writes last. */
const LAST_OUTPUT = join(ROOT, 'sbom.cdx.json');

if (!isUpToDate()) await import('./build.js');

function isUpToDate() {
  if (!existsSync(join(ROOT, 'dist')) || !existsSync(LAST_OUTPUT)) return false;
  const builtAt = statSync(LAST_OUTPUT).mtimeMs;
  return INPUTS.flatMap(pathsIn).every(path => statSync(path).mtimeMs < builtAt);
}

/** A file or folder and everything in it. A folder changes when something in it is added, renamed or deleted. */
function pathsIn(name) {
  const path = join(ROOT, name);
  if (!existsSync(path)) return [];
  const inside = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return [path, ...inside.map(each => join(path, each))];
}
