import { realpath, stat, writeFile } from 'node:fs/promises';
import { replaceFile } from '../../sandbox/state/atomic-file.ts';
import { errorCode } from '../errors.ts';

let writes = 0;

/**
 * Writes a file completely or not at all. A new one can be read by its owner only, because it may hold secrets. A link
 * stays one, and what is no file, such as a pipe, is written to.
 */
export async function writeAtomically(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const existing = await stat(target).catch(() => null);
  try {
    if (existing === null || existing.isFile())
      await replaceFile(target, content, `.${process.pid}-${writes++}`);
    else await writeFile(target, content);
  } catch (error) {
    const code = errorCode(error);
    const advice = code === 'ENOENT' ? 'create its folder first' : 'choose another path';
    throw new Error(`${file} cannot be written (${code}); ${advice}`);
  }
}
