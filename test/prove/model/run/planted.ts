import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { createSandboxCore } from '../../../../src/sandbox/sandbox.ts';
import type { Bug } from './bugs.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FOLDER = join(ROOT, 'node_modules/.cache/card-sandbox');

/** The file that a bug is planted in, and its text. Throws unless the bug has one place there. */
export function soil({ file, right }: Bug): { readonly path: string; readonly text: string } {
  const path = join(ROOT, 'src', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(right).length !== 2) throw new Error(`${file} does not hold ${JSON.stringify(right)} once`);
  return { path, text };
}

/** Our code with one line of it changed: the way to make a sandbox that has the bug. The code itself stays as it is. */
export async function withBug(bug: Bug): Promise<typeof createSandboxCore> {
  const { name, right, wrong } = bug;
  const { path: planted, text } = soil(bug);
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
  const made = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
  return made.createSandboxCore;
}
