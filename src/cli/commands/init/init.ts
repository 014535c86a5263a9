import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import pkg from '../../../../package.json' with { type: 'json' };
import { readTextFile } from '../../../sandbox/text-file.ts';
import { type AddCommand, commandAt, examples } from '../../command.ts';
import { withChoices } from '../../flags.ts';
import { printResult, progress } from '../../output/print.ts';
import { javaScriptTest, PYTHON_TEST } from './first-test.ts';
import { type Layout, layoutFor } from './layout.ts';
import { type Project, packagesOf, RUNNERS, type Runner, readProject, runnersOf } from './project.ts';

const SCRIPT = 'test:sandbox';
const MANIFEST = 'package.json';

interface InitFlags {
  readonly runner?: Runner;
  readonly json?: true;
}

const AFTER = `
Writes a test and the script ${SCRIPT} in package.json, for the runner that the dependencies, scripts and
configuration files of the project and its workspace name. Files and scripts that exist are left as they are.
Nothing is written outside the project, and no link is followed.
${examples('init', 'init --runner pytest', 'init packages/payments')}`;

export const add: AddCommand = program => {
  commandAt(program, ['init'])
    .description('Write a first test and a script into a project.')
    .argument('[dir]', 'folder of the project', '.')
    .addOption(
      withChoices(
        new Option('--runner <name>', 'test runner (default: the one that the project uses, or node:test)'),
        RUNNERS,
      ),
    )
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', AFTER)
    .action((dir: string, flags: InitFlags) => init(dir, flags));
};

async function init(dir: string, { runner: named, json }: InitFlags): Promise<void> {
  const folder = resolve(dir);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new Error(`${dir} is not a folder; name the folder of the project, which has its package.json`);
  }
  const project = readProject(realpathSync(folder));
  const known = runnersOf(project);
  const [found, ...others] = known;
  const runner = named ?? found;
  const layout = layoutFor(runner, project);
  const files = await write(project, runner, layout);
  const needed = ['card-sandbox', ...(known.includes(runner) ? [] : packagesOf(runner))];
  const missing = needed.filter(name => !project.dependencies.has(name));
  const { [SCRIPT]: script = layout.command } = project.scripts;
  const next = [
    ...(missing.length === 0 ? [] : [`npm install --save-dev ${missing.join(' ')}`]),
    // A script that the project has may run another test, and pass.
    script === layout.command ? `npm run ${SCRIPT}` : shellCommand(layout.command),
  ];
  if (json) {
    return printResult(JSON.stringify({ runner, language: layout.language, files, next }));
  }
  progress(`${runner}, ${layout.language}`);
  if (named === undefined && others.length > 0)
    progress(`also found: ${others.join(', ')}; --runner chooses`);
  for (const file of files) progress(describe(file));
  await printResult(next.join('\n'));
}

/** Returns a command of a script as one for a shell, which does not find the programs of the project. */
function shellCommand(command: string): string {
  return command.startsWith('node ') ? command : `npx ${command}`;
}

async function write(project: Project, runner: Runner, layout: Layout): Promise<Change[]> {
  const { folder } = project;
  const { test, command } = layout;
  const text = runner === 'pytest' ? PYTHON_TEST : javaScriptTest(runner, layout);
  for (const path of [test, MANIFEST]) checkPlace(folder, path);
  return [await writeNew(folder, test, text), await addScript(folder, command, pkg.version)];
}

/** Throws for a path on which there is a link. Links are not followed: they can lead anywhere. */
function checkPlace(folder: string, path: string): void {
  const names = path.split('/');
  for (let count = 1; count <= names.length; count++) {
    const each = names.slice(0, count).join('/');
    if (lstatSync(join(folder, each), { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new Error(
        `${each} is a link, which init does not follow; replace it, or pass the folder that it leads to`,
      );
    }
  }
}

function describe({ path, action, reason }: Change): string {
  return `${action.padEnd(7)}  ${path}${reason === undefined ? '' : ` (${reason})`}`;
}

interface Change {
  readonly path: string;
  readonly action: 'written' | 'changed' | 'kept';
  /** Why it was kept, or what was changed. */
  readonly reason?: string;
}

async function writeNew(folder: string, path: string, text: string): Promise<Change> {
  const file = join(folder, path);
  if (existsSync(file)) return { path, action: 'kept', reason: 'it exists' };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: 'wx' });
  return { path, action: 'written' };
}

/** Adds the script to package.json, or creates one. All else in it stays as it is. */
async function addScript(folder: string, command: string, version: string): Promise<Change> {
  const path = MANIFEST;
  const file = join(folder, path);
  if (!existsSync(file)) {
    const manifest = {
      private: true,
      type: 'module',
      scripts: { [SCRIPT]: command },
      devDependencies: { 'card-sandbox': `^${version}` },
    };
    return writeNew(folder, path, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  const text = readTextFile(file);
  const manifest = JSON.parse(text);
  if (manifest.scripts?.[SCRIPT] !== undefined) {
    return { path, action: 'kept', reason: `it has a script ${SCRIPT}` };
  }
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
  const changed = JSON.stringify(
    { ...manifest, scripts: { ...manifest.scripts, [SCRIPT]: command } },
    null,
    indent,
  );
  const lines = text.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed;
  await writeFile(file, lines + (/\r?\n$/.exec(text)?.[0] ?? ''));
  return { path, action: 'changed', reason: `added the script ${SCRIPT}` };
}
