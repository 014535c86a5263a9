import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../../core/request/input.ts';
import { messageOf } from '../../../core/values/read-thrown.ts';
import { readTextFile, TextFileError } from '../../../sandbox/text-file.ts';

interface Manifest {
  readonly type?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly workspaces?: unknown;
  readonly [member: string]: unknown;
}

/** A partner's project: the folder of `init`, and the folders above it up to the root of its workspace. */
export interface Project {
  readonly folder: string;
  /** The names of all packages that the project and its workspace depend on. */
  readonly dependencies: ReadonlySet<string>;
  readonly scripts: Readonly<Record<string, string>>;
  /** Whether `.js` files are ES modules. */
  readonly isModule: boolean;
  readonly isTypeScript: boolean;
  /** Whether a file in the folder matches, or one in those above it with `everywhere`. */
  has(pattern: RegExp, everywhere?: true): boolean;
}

export function readProject(folder: string): Project {
  const folders = [...foldersUpToRoot(folder)];
  const manifests = folders.map(readManifest).filter(each => each !== undefined);
  const own = readManifest(folder);
  const has = (pattern: RegExp, everywhere?: true) =>
    (everywhere ? folders : [folder]).flatMap(each => filesIn(each)).some(name => pattern.test(name));
  const dependencies = new Set(manifests.flatMap(dependenciesOf));
  return {
    folder,
    dependencies,
    scripts: Object.fromEntries(
      Object.entries(own?.scripts ?? {}).flatMap(([name, text]) =>
        typeof text === 'string' ? [[name, text]] : [],
      ),
    ),
    // The nearest package.json decides, as in Node.js. A new one says that it is a module.
    isModule: manifests.length === 0 || manifests[0]?.type === 'module',
    isTypeScript: dependencies.has('typescript') || has(/^tsconfig\b.*\.json$/, true),
    has,
  };
}

function dependenciesOf(manifest: Manifest): string[] {
  return ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(kind =>
    Object.keys(manifest[kind] ?? {}),
  );
}

/** The folder, then those above it up to the root of its workspace; only the folder when it is in no workspace. */
function foldersUpToRoot(folder: string): readonly string[] {
  const folders = [folder];
  for (let each = folder; ; each = dirname(each)) {
    if (each !== folder) folders.push(each);
    const isRoot =
      readManifest(each)?.workspaces !== undefined || existsSync(join(each, 'pnpm-workspace.yaml'));
    if (isRoot) return folders;
    // A repository ends the search; its root counts only as the root of a workspace.
    if (existsSync(join(each, '.git')) || dirname(each) === each) return [folder];
  }
}

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const manifest = parse(file);
  if (!isObject(manifest)) throw new Error(`${file} is not valid: it must be an object`);
  const { scripts = {} } = manifest;
  if (!isObject(scripts)) throw new Error(`${file} is not valid: scripts must be an object`);
  return { ...manifest, scripts };
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    const problem = error instanceof TextFileError ? 'cannot be read' : 'is not JSON';
    throw new Error(`${file} ${problem}: ${messageOf(error)}`);
  }
}

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The test runners that `init` knows. When a project has several, the first of them is chosen. */
export const RUNNERS = ['vitest', 'jest', 'playwright', 'node:test', 'pytest'] as const;
export type Runner = (typeof RUNNERS)[number];

/** Returns the npm packages of a runner. */
export function packagesOf(runner: Runner): readonly string[] {
  if (runner === 'playwright') return ['@playwright/test'];
  return runner === 'vitest' || runner === 'jest' ? [runner] : [];
}

const FINDERS: Readonly<Record<Runner, (project: Project) => boolean>> = {
  vitest: project =>
    project.dependencies.has('vitest') ||
    project.has(/^vitest\.(config|workspace)\./, true) ||
    runs(project, 'vitest'),
  jest: project =>
    project.dependencies.has('jest') || project.has(/^jest\.config\./, true) || runs(project, 'jest'),
  playwright: project =>
    project.dependencies.has('@playwright/test') || project.has(/^playwright\.config\./, true),
  'node:test': project => runs(project, 'node( --?\\S+)* --test'),
  pytest: project =>
    project.has(/^(pytest\.ini|conftest\.py)$/, true) ||
    project.has(/^(pyproject\.toml|requirements.*\.(txt|in)|setup\.(py|cfg)|tox\.ini|Pipfile)$/),
};

/** Returns the runners of a project, the first being the one to use; `node:test`, which needs nothing, if it has none. */
export function runnersOf(project: Project): readonly [Runner, ...Runner[]] {
  const [first = 'node:test', ...others] = RUNNERS.filter(runner => FINDERS[runner](project));
  return [first, ...others];
}

function runs({ scripts }: Project, program: string): boolean {
  const call = new RegExp(`(^|[\\s;&|/])${program}(\\s|$)`);
  return Object.values(scripts).some(command => call.test(command));
}
