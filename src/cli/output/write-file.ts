import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file completely or not at all, readable by its owner only, because it may hold secrets. */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(`${file} cannot be written (${code})`);
  }
}
