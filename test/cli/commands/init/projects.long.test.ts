import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPackages } from '../../../support/proof/install-packages.js';
import { sample } from '../../../support/proof/proof-size.ts';
import { isInstalled } from '../../support/installed.ts';
import { PROJECTS } from './projects.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const CACHE = join(ROOT, 'node_modules/.cache');
const run = promisify(execFile);
/** Whether pytest can be run. Jest and Playwright come from the npm registry, the others with Node and this project. */
const hasPytest = isInstalled('pytest', '--version');

const projects = sample(PROJECTS, 1);
const isNeeded = (name: string) => projects.some(({ runner }) => runner === name);

/** A folder with the packed package and the runners in its node_modules. The projects are folders in it. */
let place: string;

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'card-sandbox-projects-'));
  const modules = join(place, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  packInto(join(modules, 'card-sandbox'));
  if (isNeeded('jest')) linkAll(installed('jest', '../../../contract/jest/package.json'));
  if (isNeeded('playwright')) linkAll(installed('playwright', 'playwright/package.json'));
  link('vitest', join(ROOT, 'node_modules/vitest'));
  for (const [name, file] of [
    ['card-sandbox', '../card-sandbox/bin/card-sandbox.js'],
    ['vitest', '../vitest/vitest.mjs'],
    ['jest', '../jest/bin/jest.js'],
    ['playwright', '../@playwright/test/cli.js'],
  ] as const) {
    symlinkSync(file, join(modules, '.bin', name));
  }
});

afterAll(() => rmSync(place, { recursive: true, maxRetries: 5 }));

/** Installs packages into a cache and returns the folder of its modules. */
function installed(name: string, manifest: string): string {
  const folder = join(CACHE, name);
  installPackages(join(import.meta.dirname, manifest), folder, []);
  return join(folder, 'node_modules');
}

/** Packs the build and unpacks it. */
function packInto(folder: string): void {
  // Without scripts: other tests use the build, which must not be replaced while they run.
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', place];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }));
  execFileSync('tar', ['-xzf', join(place, filename), '-C', place]);
  cpSync(join(place, 'package'), folder, { recursive: true });
}

function link(name: string, target: string): void {
  const path = join(place, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}

function linkAll(modules: string): void {
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.') || name === 'card-sandbox') continue;
    const names = name.startsWith('@')
      ? readdirSync(join(modules, name)).map(each => `${name}/${each}`)
      : [name];
    for (const each of names) link(each, join(modules, each));
  }
}

test('there are at least ten kinds of project, and pytest is installed in CI', () => {
  expect(PROJECTS.length).toBeGreaterThanOrEqual(10);
  if (process.env.CI === 'true')
    expect(hasPytest, 'pytest is missing: install it, e.g. pip install pytest').toBe(true);
});

for (const [index, { name, files, folder = '.', runner, passed }] of projects.entries()) {
  const isSkipped = runner === 'pytest' && !hasPytest;
  const note = isSkipped ? ' (skipped: pytest is not installed)' : '';
  test.skipIf(isSkipped)(
    `the test that init writes passes: ${name}${note}`,

    async () => {
      const root = join(place, `project-${index}`);
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
      }
      const project = join(root, folder);
      mkdirSync(project, { recursive: true });
      const command = join(place, 'node_modules/card-sandbox/bin/card-sandbox.js');
      await run(process.execPath, [command, 'init'], { cwd: project });
      // A test runner that runs this test sets variables that change what the runners of the projects do.
      const { VITEST: _1, VITEST_MODE: _2, NODE_ENV: _3, TEST: _4, JEST_WORKER_ID: _5, ...env } = process.env;
      const { stdout, stderr } = await run('npm', ['run', 'test:sandbox'], { cwd: project, env });
      expect(stdout + stderr).toMatch(passed);
      const again = await run(process.execPath, [command, 'init', '--json'], { cwd: project });
      expect(JSON.parse(again.stdout).files.map(({ action }: { action: string }) => action)).toEqual([
        'kept',
        'kept',
      ]);
    },
  );
}

/** What the receiver of the first test, and not its client, has to survive. */
const OF_RECEIVERS = [
  'webhooks-twice',
  'webhook-type-unknown',
  'timestamp-old',
  'signature-missing',
  'record-of-other-partner',
];

test.each([
  ['node:test', ['node', '--test']],
  ...(hasPytest ? [['pytest', ['pytest']] as const] : []),
] as const)(
  'the receiver of the first test for %s survives the exam',
  { timeout: 300_000 },
  async (runner, command) => {
    const project = join(place, `exam-${runner.replace(':', '-')}`);
    mkdirSync(project);
    const program = join(place, 'node_modules/card-sandbox/bin/card-sandbox.js');
    await run(process.execPath, [program, 'init', project, '--runner', runner]);
    const exam = ['exam', '--json', '--freeze', '--only', ...OF_RECEIVERS, '--', ...command];
    const { stdout } = await run(process.execPath, [program, ...exam], { cwd: project });
    expect(JSON.parse(stdout).summary).toMatchObject({ survived: OF_RECEIVERS.length });
  },
);
