import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { runInProcess } from '../../../../support/cli-in-process.ts';
import type { Json } from '../../../../support/sandbox.ts';

const COMMAND = join(import.meta.dirname, '../command.mjs');
const INDEX = new URL('../../../../../dist/index.js', import.meta.url).href;

/** The folder of the undisturbed run in `main`. */
export const BASELINE = 'runs/baseline/1-main';

/** Runs `evidence` with a command that uses a sandbox in every way. */
export function evidence(out: string, only: readonly string[], variables: Record<string, string> = {}) {
  const words = ['evidence', '--out', out, '--only', ...only, '--json', '--', process.execPath, COMMAND];
  return runInProcess(words, { CARD_SANDBOX_INDEX: INDEX, ...variables });
}

/** Runs `evidence verify`. */
export function verify(folder: string, ...flags: string[]) {
  return runInProcess(['evidence', 'verify', folder, ...flags]);
}

/** Creates a folder that is removed when the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the files below a folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter(each => each.isFile()).map(each => join(each.parentPath, each.name));
}

/** Returns the lines of `sha256sum` for all files but the manifest. */
export async function manifestOf(folder: string): Promise<string[]> {
  const files = (await filesIn(folder)).filter(file => !file.endsWith('MANIFEST'));
  const lines = await Promise.all(
    files.map(async file => {
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return `${digest}  ${file.slice(folder.length + 1)}`;
    }),
  );
  return lines.sort();
}

/** Writes the manifest of a folder again, as somebody would who hides a change. */
export async function writeManifest(folder: string): Promise<void> {
  await writeFile(join(folder, 'MANIFEST'), `${(await manifestOf(folder)).join('\n')}\n`);
}

/** Returns a copy of a folder. */
export async function copyOf(folder: string): Promise<string> {
  const copy = join(await newFolder(), 'changed');
  await cp(folder, copy, { recursive: true });
  return copy;
}

/** Returns a copy of a folder with a changed file and a manifest that fits. */
export async function changed(
  folder: string,
  file: string,
  change: (content: Json) => unknown,
): Promise<string> {
  const copy = await copyOf(folder);
  const content = parse(await readFile(join(copy, file), 'utf8'));
  const result = change(content) ?? content;
  const isYaml = file.endsWith('.yaml');
  await writeFile(join(copy, file), isYaml ? stringify(result) : `${JSON.stringify(result, null, 2)}\n`);
  await writeManifest(copy);
  return copy;
}
