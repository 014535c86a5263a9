import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The name of the script that runs the test. */
export const SCRIPT = 'test:sandbox';

/** What happened to a file: it was written or changed, or it was left as it is. */
export interface Change {
  readonly path: string;
  readonly action: 'written' | 'changed' | 'kept';
  /** Why it was kept, or what was changed. */
  readonly reason?: string;
}

/** Writes a file below a folder unless it exists. With `isDry` nothing is written. */
export async function writeNew(folder: string, path: string, text: string, isDry: boolean): Promise<Change> {
  const file = join(folder, path);
  if (existsSync(file)) return { path, action: 'kept', reason: 'it exists' };
  if (!isDry) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  }
  return { path, action: 'written' };
}

/** Adds the script to package.json, which is created if there is none. All else in it stays as it is. */
export async function addScript(
  folder: string,
  command: string,
  version: string,
  isDry: boolean,
): Promise<Change> {
  const path = 'package.json';
  const file = join(folder, path);
  if (!existsSync(file)) {
    const manifest = {
      private: true,
      type: 'module',
      scripts: { [SCRIPT]: command },
      devDependencies: { 'card-sandbox': `^${version}` },
    };
    return writeNew(folder, path, `${JSON.stringify(manifest, null, 2)}\n`, isDry);
  }
  const text = await readFile(file, 'utf8');
  const manifest = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (manifest.scripts?.[SCRIPT] !== undefined) {
    return { path, action: 'kept', reason: `it has a script ${SCRIPT}` };
  }
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
  const changed = JSON.stringify(
    { ...manifest, scripts: { ...manifest.scripts, [SCRIPT]: command } },
    null,
    indent,
  );
  const lines = text.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed;
  if (!isDry) await writeFile(file, lines + (/\r?\n$/.exec(text)?.[0] ?? ''));
  return { path, action: 'changed', reason: `the script ${SCRIPT} was added` };
}
