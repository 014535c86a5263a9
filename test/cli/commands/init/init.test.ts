import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../../../support/cli-in-process.ts';
import { PROJECTS } from './projects.ts';

function createProject(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The files below a folder with their texts. */
function contentsOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}

test.each(PROJECTS)('init finds $runner: $name', async ({ files, folder = '.', runner, test: path }) => {
  const project = join(createProject(files), folder);
  const { code, stdout } = await runInProcess(['init', project, '--json']);
  const written = contentsOf(project);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, runner });
  expect(JSON.parse(stdout).files[0]).toEqual({ path, action: 'written' });
  expect(written[join(project, path)]).toMatch(/person.is.approved/);
  expect(JSON.parse(written[join(project, 'package.json')] ?? '').scripts['test:sandbox']).toContain(path);
});

test.each(PROJECTS)('the first test names an environment for Jest alone: $name', async project => {
  const { files, folder = '.', runner, test: path } = project;
  const place = join(createProject(files), folder);
  await runInProcess(['init', place]);
  const text = readFileSync(join(place, path), 'utf8');
  expect(text.startsWith('/** @jest-environment node */\n')).toBe(runner === 'jest');
});

const EVERY_FOLDER = { 'spec/a': '', 'e2e/a': '', '__tests__/a': '', 'test/a': '', 'tests/a': '' };
const manifest = (members: object) => ({ 'package.json': JSON.stringify(members) });

test.each([
  ['vitest', 'test/card-sandbox.test.js', { 'vitest.config.mjs': '', 'e2e/a': '', 'test/a': '' }],
  ['vitest', 'tests/card-sandbox.test.js', { ...EVERY_FOLDER, ...manifest({ scripts: { t: 'vitest' } }) }],
  ['jest', 'spec/card-sandbox.test.js', { 'jest.config.js': '', 'spec/a': '' }],
  [
    'jest',
    '__tests__/card-sandbox.test.js',
    { ...manifest({ scripts: { t: 'CI=1 jest' } }), '__tests__/a': '', 'e2e/a': '' },
  ],
  ['playwright', 'e2e/card-sandbox.spec.js', { ...EVERY_FOLDER, 'playwright.config.js': '' }],
  ['playwright', 'tests/card-sandbox.spec.js', manifest({ dependencies: { '@playwright/test': '1' } })],
  ['pytest', 'test/test_card_sandbox.py', { 'conftest.py': '', 'test/a': '' }],
  ['pytest', 'tests/test_card_sandbox.py', { 'setup.cfg': '' }],
  ['node:test', 'test/card-sandbox.test.ts', manifest({ devDependencies: { typescript: '5', tsx: '4' } })],
  ['node:test', 'test/card-sandbox.test.mjs', { 'tsconfig.json': '' }],
])('init finds %s and writes %s', async (runner, path, files) => {
  const { stdout } = await runInProcess(['init', createProject(files), '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ runner, files: [{ path, action: 'written' }, {}] });
});

test('init overwrites nothing and says what it left alone', async () => {
  const manifest = '{ "scripts": { "test:sandbox": "mine" } }';
  const folder = createProject({ 'package.json': manifest, 'test/card-sandbox.test.js': '// mine' });
  await runInProcess(['init', folder, '--runner', 'node:test']);
  const { code, stderr } = await runInProcess(['init', folder]);
  expect(code).toBe(0);
  expect(stderr).toContain('kept     test/card-sandbox.test.js (it exists)');
  expect(stderr).toContain('kept     package.json (it has a script test:sandbox)');
  const contents = contentsOf(folder);
  expect(contents[join(folder, 'package.json')]).toBe(manifest);
  expect(contents[join(folder, 'test/card-sandbox.test.js')]).toBe('// mine');
});

test('init names the command of the test where test:sandbox runs another one', async () => {
  const folder = createProject({ 'package.json': '{ "scripts": { "test:sandbox": "mine" } }' });
  const next = async (runner: string) =>
    JSON.parse((await runInProcess(['init', folder, '--json', '--runner', runner])).stdout).next.at(-1);
  expect(await next('node:test')).toBe('node --test test/card-sandbox.test.js');
  expect(await next('vitest')).toBe('npx vitest run test/card-sandbox.test.js');
  expect(await next('pytest')).toBe('npx card-sandbox exec --freeze -- pytest test/test_card_sandbox.py');
});

test('init names the package of a runner that the project does not have', async () => {
  const install = async (files: Readonly<Record<string, string>>, runner: string) => {
    const folder = createProject(files);
    return JSON.parse((await runInProcess(['init', folder, '--json', '--runner', runner])).stdout).next[0];
  };
  expect(await install({}, 'vitest')).toBe('npm install --save-dev card-sandbox vitest');
  expect(await install({}, 'playwright')).toBe('npm install --save-dev card-sandbox @playwright/test');
  expect(await install({}, 'pytest')).toBe('npm install --save-dev card-sandbox');
  expect(await install({ 'jest.config.js': '' }, 'jest')).toBe('npm install --save-dev card-sandbox');
});

test('init changes nothing in package.json but the script', async () => {
  const text = '{\n\t"name": "app",\n\t"scripts": {\n\t\t"test": "node --test"\n\t},\n\t"private": true\n}';
  const folder = createProject({ 'package.json': text });
  await runInProcess(['init', folder]);
  const script = '"test": "node --test",\n\t\t"test:sandbox": "node --test test/card-sandbox.test.js"';
  const changed = text.replace('"test": "node --test"', script);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(changed);
});

test('init --runner chooses among several', async () => {
  const dependencies = { vitest: '^4', '@playwright/test': '^1' };
  const folder = createProject({ 'package.json': JSON.stringify({ devDependencies: dependencies }) });
  const first = await runInProcess(['init', folder]);
  expect(first.stderr).toContain('also found: playwright; --runner chooses');
  const chosen = await runInProcess(['init', folder, '--runner', 'playwright', '--json']);
  expect(JSON.parse(chosen.stdout)).toMatchObject({ runner: 'playwright' });
});

test.each([
  [['init', '/no/such/folder'], 1, '/no/such/folder is not a folder; name the folder of the project'],
  [['init', '--runner', 'mocha'], 2, 'Allowed choices are vitest, jest, playwright, node:test, pytest.'],
])('%j is refused with the way out', async (args, code, message) => {
  const refused = await runInProcess(args);
  expect(refused).toMatchObject({ code, stdout: '' });
  expect(refused.stderr).toContain(message);
});

test('init names the package.json that is not JSON, and writes nothing', async () => {
  const folder = createProject({ 'package.json': '{ nope' });
  const { code, stderr } = await runInProcess(['init', folder]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('package.json is not JSON') });
  expect(Object.keys(contentsOf(folder))).toHaveLength(1);
});

test.each(['null', '[]', '"x"', '{"scripts":"x"}', '{"scripts":[]}', '{"scripts":null}'])(
  'init refuses a package.json of %s, and writes nothing',
  async text => {
    const folder = createProject({ 'package.json': text });
    const { code, stderr } = await runInProcess(['init', folder]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/package\.json is not valid: (it|scripts) must be an object\n$/),
    });
    expect(contentsOf(folder)).toEqual({ [join(folder, 'package.json')]: text });
  },
);
