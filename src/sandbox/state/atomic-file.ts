import { rmSync, statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Mode of a new file: it may hold keys and card numbers. */
const OWNER_ONLY = 0o600;
const PERMISSION_BITS = 0o777;

/**
 * Replaces a file as a whole, or creates it. The content is written to a temporary file in the same folder, synced to
 * disk, and renamed over the old file, so that a crash at any moment leaves the old content or the new. A new file can be
 * read by its owner only; an existing one keeps its mode. The content is durable once this resolves. `writer` tells those
 * apart that may replace the same file at once.
 */
export async function replaceFile(
  path: string,
  content: string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  writer = '',
): Promise<void> {
  const temporary = temporaryPath(path, writer);
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? OWNER_ONLY) & PERMISSION_BITS;
  try {
    await writeAndSync(temporary, content, mode);
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes what an interrupted replacement of a file has left behind. */
export function removeTemporary(path: string): void {
  rmSync(temporaryPath(path), { force: true });
}

function temporaryPath(path: string, writer = ''): string {
  return join(dirname(path), `.${basename(path)}${writer}.tmp`);
}

/** Writes each piece in a turn of the event loop of its own. */
async function writeAndSync(
  path: string,
  content: Parameters<typeof replaceFile>[1],
  mode: number,
): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    if (mode !== OWNER_ONLY) await file.chmod(mode);
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes renames in a folder durable. Windows does so by itself and cannot open a folder for this. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
