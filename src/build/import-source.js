import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/card-sandbox');

/** Bundles a TypeScript module and imports it, because Node.js 20 runs JavaScript only. */
export async function importSource(file) {
  const outfile = join(CACHE, `${parse(file).name}.mjs`);
  const options = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  };
  await build({ ...options, entryPoints: [file], outfile });
  return import(pathToFileURL(outfile).href);
}
