import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { createSandboxCore } from '../../../../src/sandbox/sandbox.ts';
import type { Bug } from './bugs.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FOLDER = join(ROOT, 'node_modules/.cache/card-sandbox');

/** The source file that a bug is planted in. Throws unless it contains the correct line exactly once. */
export function sourceFor({ name, file, right }: Bug): { readonly path: string; readonly text: string } {
  const path = join(ROOT, 'src', file);
  const text = readFileSync(path, 'utf8');
  const count = text.split(right).length - 1;
  if (count !== 1) {
    const where = `src/${file} contains ${JSON.stringify(right)} ${count} times, expected once`;
    throw new Error(`${where}; update the planted bug "${name}" in test/prove/model/run/bugs.ts`);
  }
  return { path, text };
}

/** Bundles the source with one line changed, and returns its `createSandboxCore`. The source files stay unchanged. */
export async function buildWithBug(bug: Bug): Promise<typeof createSandboxCore> {
  const { name, right, wrong } = bug;
  const { path: planted, text } = sourceFor(bug);
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${name.replaceAll(' ', '-')}.mjs`);
  await build({
    entryPoints: [join(ROOT, 'src/sandbox/sandbox.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'bug',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) =>
            path === planted ? { contents: text.replace(right, () => wrong), loader: 'ts' } : undefined,
          );
        },
      },
    ],
  });
  const bundle = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
  return bundle.createSandboxCore;
}
