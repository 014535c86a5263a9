import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it. The recursive `mkdir` of Node.js 20 never ends where a file system says that there
 * is no such folder, as /proc does.
 */
export function createFolder(folder: string): void {
  const isFolder = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder()) return;
  const parent = dirname(folder);
  if (parent !== folder) createFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder()) throw error;
  }
}
