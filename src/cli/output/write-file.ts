import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { errorCode } from '../errors.ts';

/**
 * Writes a file completely or not at all, readable by its owner only, because it may hold secrets. A draft that cannot
 * be completed is removed. What is no file, such as a pipe, is written to.
 */
export async function writeAtomically(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
): Promise<void> {
  // A link stays one, and a device or a named pipe is written to.
  const target = await realpath(file).catch(() => file);
  const existing = await stat(target).catch(() => null);
  const isReplaced = existing === null || existing.isFile();
  const draft = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(isReplaced ? draft : target, content, { mode: 0o600 });
    if (isReplaced) await rename(draft, target);
  } catch (error) {
    // The error of the write is reported, not the error of the removal.
    await rm(draft, { force: true }).catch(() => undefined);
    throw new Error(`${file} cannot be written (${errorCode(error)})`);
  }
}
