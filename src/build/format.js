import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const BIOME = join(import.meta.dirname, '../../node_modules/@biomejs/biome/bin/biome');

/** Returns the source of a file in the format of the project. `path` is relative to its root. */
export function format(path, source) {
  return execFileSync(process.execPath, [BIOME, 'check', '--write', `--stdin-file-path=${path}`], {
    input: source,
    encoding: 'utf8',
  });
}
