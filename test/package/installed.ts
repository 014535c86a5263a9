import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

/** The folder of this project. */
export const ROOT = join(import.meta.dirname, '../..');

/** Everything strict, and the declarations of packages are checked as well. */
const STRICT = {
  target: 'ES2022',
  lib: ['ES2022'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

/** The package as it would be published, installed in a folder that had nothing in it. */
export interface Installed {
  /** The folder that it was installed into. */
  readonly folder: string;
  /** The file that npm packed, its size and the files in it. */
  readonly packed: { readonly file: string; readonly size: number; readonly files: readonly string[] };
  /** What npm said. */
  readonly said: string;
}

/** Runs a program to its end; rejects, with what it printed, when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const shell = process.platform === 'win32' && command === 'npm';
  const env = { ...process.env, NO_COLOR: '1', NODE_NO_WARNINGS: '1', ...variables };
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [...args], { cwd, shell, env });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}: ${message}\n${stdout}${stderr}`);
  }
}

/** Packs what is built and installs it, scripts and all; the folder goes when the tests of the file have run. */
export async function install(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-installed-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Without scripts: other tests use what is built, which must not be built anew under them.
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const [told] = JSON.parse(await run('npm', args, ROOT));
  const file = join(folder, told.filename);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const said = await run('npm', ['install', '--no-audit', '--no-fund', '--foreground-scripts', file], folder);
  const files = (told.files as { path: string }[]).map(({ path }) => path);
  return { folder, packed: { file, size: told.size, files }, said };
}

/** Lends packages of this project to who installed ours: what they would have installed as well. */
export function lend({ folder }: Installed, packages: readonly string[]): void {
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }
}

/** Which packages are in the folder, the ones of packages included. */
export function packagesIn({ folder }: Installed): string[] {
  const all = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const manifests = all
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => file.endsWith('/package.json'));
  return manifests.map(dirname);
}

/** Compiles a program of ours in the folder with a compiler, for a kind of module resolution. Returns what to run. */
export async function compile(
  { folder }: Installed,
  program: string,
  compiler: string,
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  copyFileSync(join(import.meta.dirname, 'consumer', `${program}.ts`), join(folder, `${program}.ts`));
  const config = join(folder, `tsconfig.${program}.json`);
  const compilerOptions = { ...STRICT, ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${program}.ts`] }));
  await run(process.execPath, [compiler, '--project', config], folder);
  return join(folder, `${program}.js`);
}
