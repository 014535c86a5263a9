import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the bundled code. Requires a build, which `npm test` does first. */
export const DIST = join(import.meta.dirname, '../../dist');

/** Returns the bundled files that are loaded with those of some names, themselves included. */
export function loadedWith(...names: string[]): string[] {
  const loaded = new Set(names.map(name => join(DIST, name)));
  for (const file of loaded) {
    const required = readFileSync(file, 'utf8').matchAll(/(?:^|;)var \w+ ?= ?require\("(\.[^"]+)"\)/gm);
    for (const [, path = ''] of required) loaded.add(join(file, '..', path));
  }
  return [...loaded];
}

/** Returns the bundled files that a start loads before it does anything. */
export function loadedByStart(): string[] {
  return loadedWith('cli/main.cjs', dynamicImport('start'));
}

/** Returns the name of the file for a dynamic import of a module. */
export function dynamicImport(module: string): string {
  const name = readdirSync(DIST).find(file => file.startsWith(`${module}-`));
  if (name === undefined) throw new Error(`no file of dist is named after ${module}`);
  return name;
}
