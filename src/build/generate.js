// Writes the files in `src/client/generated`, the types of the client and the operations and assumptions as plain data,
// and `src/service/assumptions/assume.ts`, the type of the settings.
// Run with `npm run generate` after a change of operations, their schemas or the register of assumptions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { format } from './generation/format.js';

const ROOT = join(import.meta.dirname, '../..');
const outfile = join(ROOT, 'node_modules/.cache/card-sandbox/client-files.mjs');

await build({
  entryPoints: [join(import.meta.dirname, 'generation/client-files.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
const { clientFiles } = await import(pathToFileURL(outfile).href);
for (const [path, source] of Object.entries(clientFiles())) {
  writeFileSync(join(ROOT, path), format(path, source));
}
