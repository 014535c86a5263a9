import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bug, NODE_BUGS } from './bugs.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/integrations');

/** A sample app with its planted bugs. */
export interface App {
  readonly name: 'node' | 'python' | 'go';
  /** Prints the version of its language, or fails when the language is not installed. */
  readonly version: readonly string[];
  /** Runs its tests in its folder. */
  readonly command: readonly string[];
  /** Those of one language: the exam sees requests, whatever sends them. */
  readonly bugs: readonly Bug[];
}

/** The sample apps in examples/integrations. */
export const APPS: readonly App[] = [
  {
    name: 'node',
    version: [process.execPath, '--version'],
    command: [process.execPath, '--test'],
    bugs: NODE_BUGS,
  },
  {
    name: 'python',
    version: ['python3', '--version'],
    command: ['python3', '-B', '-m', 'unittest'],
    bugs: [],
  },
  {
    name: 'go',
    version: ['go', 'version'],
    // Compiled once, so that a run does not wait for the compiler.
    command: ['./integration.test'],
    bugs: [],
  },
];

/** Whether the language of an app is installed. */
export function isInstalled({ version: [program = '', ...args] }: App): boolean {
  return spawnSync(program, args).status === 0;
}

/** Copies an app to a temporary folder, with a bug or sound, and builds it. Returns the folder and its removal. */
export function copyApp(app: App, bug: Bug | null): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), `card-sandbox-${app.name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  cpSync(join(EXAMPLES, app.name), folder, { recursive: true });
  // Modules of Node.js need it outside of this package.
  if (app.name === 'node') writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  try {
    if (bug !== null) plant(bug, folder);
    if (app.name === 'go') {
      const built = spawnSync('go', ['test', '-c', '-o', 'integration.test'], {
        cwd: folder,
        encoding: 'utf8',
      });
      if (built.status !== 0) throw new Error(`go test -c: ${built.stdout}${built.stderr}`);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

function plant({ id, file, find, replace }: Bug, folder: string) {
  const path = join(folder, file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`${id}: found ${parts.length - 1} times in ${file}`);
  writeFileSync(path, parts.join(replace));
}
