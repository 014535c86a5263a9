import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { AtEnd } from '../support/cli-process.ts';

/** The root folder of this project. */
export const ROOT = join(import.meta.dirname, '../..');

/** Strict, including the declarations of packages. */
const STRICT = {
  target: 'ES2022',
  lib: ['ES2022'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

/** The package as published, installed in an empty folder. */
export interface Installed {
  /** The folder in which it is installed. */
  readonly folder: string;
  /** The file that npm packed, and the files in it. */
  readonly packed: { readonly file: string; readonly size: number; readonly files: readonly string[] };
  /** The output of npm. */
  readonly output: string;
}

/** Runs a program. Resolves with its standard output, and rejects with its output when it fails. */
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

/** Packs the build and installs it, scripts included. The folder is removed at the end. */
export async function install(atEnd: AtEnd): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-installed-'));
  atEnd(() => rm(folder, { recursive: true, maxRetries: 5 }));
  // Without scripts: other tests use the build, which must not be replaced while they run.
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const [packed] = JSON.parse(await run('npm', args, ROOT));
  const file = join(folder, packed.filename);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const output = await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--foreground-scripts', file],
    folder,
  );
  const files = (packed.files as { path: string }[]).map(({ path }) => path);
  return { folder, packed: { file, size: packed.size, files }, output };
}

/** Links packages of this project into the folder, which its user would have installed as well. */
export function linkPackages({ folder }: Installed, packages: readonly string[]): void {
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link, 'junction');
  }
}

/** The names of all packages in the folder, nested ones included. */
export function packagesIn({ folder }: Installed): string[] {
  const all = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const manifests = all
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => file.endsWith('/package.json'));
  return manifests.map(dirname);
}

/** Compiles one of our test programs in the folder. Resolves with the path of the compiled program. */
export async function compile(
  installed: Installed,
  program: string,
  compiler: string,
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  const file = extname(program) === '' ? `${program}.ts` : program;
  const text = readFileSync(join(import.meta.dirname, 'consumer', file), 'utf8');
  return compileText(installed, program, text, compiler, options);
}

/** Compiles a program in the folder. Resolves with the path of the compiled program. */
export async function compileText(
  { folder }: Installed,
  program: string,
  text: string,
  compiler: string,
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  const file = extname(program) === '' ? `${program}.ts` : program;
  writeFileSync(join(folder, file), text);
  const config = join(folder, `tsconfig.${program}.json`);
  const compilerOptions = { ...STRICT, ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  await run(process.execPath, [compiler, '--project', config], folder);
  return join(folder, file.replace(/ts$/, 'js'));
}
