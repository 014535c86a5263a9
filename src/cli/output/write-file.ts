import { rename, rm, writeFile } from 'node:fs/promises';
import { errorCode } from '../errors.ts';

/**
 * Writes a file completely or not at all, readable by its owner only, because it may hold secrets. A draft that cannot
 * be completed is removed.
 */
export async function writeAtomically(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    // The error of the write is reported, not the error of the removal.
    await rm(draft, { force: true }).catch(() => undefined);
    throw new Error(`${file} cannot be written (${errorCode(error)})`);
  }
}
