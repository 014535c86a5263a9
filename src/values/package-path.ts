import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a file or a folder of the package, wherever this code is bundled. Throws when the installation
 * lacks it.
 */
export function packagePath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, name))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error(`${name} is missing from this installation; install the package again`);
    folder = parent;
  }
  return join(folder, name);
}
