import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { vacant } from '../cli/support/deserted.ts';
import { isInstalled } from '../cli/support/installed.ts';
import { PROGRAM } from '../support/processes/process.ts';

const document = await readFile(join(import.meta.dirname, '../../docs/continuous-integration.md'), 'utf8');
const recipes = [...document.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text));
const [github, githubSteps] = recipes.filter(each => each.jobs !== undefined);
const [gitlab, gitlabSteps] = recipes.filter(each => each.test !== undefined);

/** What a project's tests do in a recipe: ask the sandbox, by nothing but the variables. */
const TESTS = `const { SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
const answer = await fetch(SERVICE_BASE_URL + '/partner/cards', { headers: { 'x-service-api-key': SERVICE_API_KEY } });
console.log('the tests got ' + answer.status);
if (answer.status !== 200 || process.env.TESTS_FAIL) process.exit(3);
`;

/** A runner: a folder of its own in which \`npm\` and \`npx\` do what they would do in a project. */
async function runner(variables: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-ci-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 5 }));
  const program = async (name: string, text: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}`);
    await chmod(join(folder, name), 0o755);
  };
  const url = await vacant();
  const node = `"${process.execPath}"`;
  await writeFile(join(folder, 'tests.mjs'), TESTS);
  await program('npm', `case "$1" in ci) ;; test) exec ${node} "${folder}/tests.mjs" ;; *) exit 9 ;; esac\n`);
  // A port of its own in the place of the usual one, at which the machine of a developer may have a sandbox.
  const port = new URL(url).port;
  await program(
    'npx',
    `[ "$1" = card-sandbox ] || exit 9; shift
     if [ "$1" = start ]; then shift; set -- start --port ${port} "$@"; fi
     exec ${node} "${PROGRAM}" "$@"\n`,
  );
  const environment: Record<string, string | undefined> = {
    ...process.env,
    ...variables,
    PATH: `${folder}:${process.env.PATH}`,
    CARD_SANDBOX_URL: url,
    GITHUB_ENV: join(folder, 'github.env'),
  };
  await writeFile(join(folder, 'github.env'), '');
  /** Runs lines as a step of a job does; what they leave running ends with the test. */
  const step = async (lines: string) => {
    const told = await readFile(join(folder, 'github.env'), 'utf8');
    const pairs = told.split('\n').filter(line => line !== '');
    const env = { ...environment, ...Object.fromEntries(pairs.map(line => line.split(/=(.*)/s, 2))) };
    const child = spawn('bash', ['-e', '-c', lines], {
      ...{ cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    onTestFinished(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // Nothing of it is left.
      }
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk));
    const code = await new Promise<number | null>(resolve => child.once('close', resolve));
    return { code, output };
  };
  return { folder, step };
}

/** Runs all steps of a recipe, as far as they are lines. */
async function job(lines: readonly string[], variables?: Record<string, string>) {
  const { folder, step } = await runner(variables);
  const outcomes = [];
  for (const each of lines) outcomes.push(await step(each));
  return {
    folder,
    codes: outcomes.map(({ code }) => code),
    output: outcomes.map(each => each.output).join(''),
  };
}

const runsOf = (recipe: { jobs: { test: { steps: { run?: string }[] } } }) =>
  recipe.jobs.test.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
const scriptOf = (recipe: { test: { script: string[] } }) => [recipe.test.script.join('\n')];
const hasBash = isInstalled('bash', '-c', 'true');

test('there are two recipes for each of the two', () => {
  expect(recipes).toHaveLength(4);
  for (const each of [github, githubSteps, gitlab, gitlabSteps]) expect(each).toBeDefined();
});

test.runIf(hasBash)(
  'the recipe with one command for GitHub runs, and keeps the world of tests that fail',
  async () => {
    const passed = await job(runsOf(github));
    expect(passed).toMatchObject({ codes: [0, 0], output: 'the tests got 200\n' });
    const failed = await job(runsOf(github), { TESTS_FAIL: 'yes' });
    expect(failed.codes).toEqual([0, 3]);
    const { with: kept } = github.jobs.test.steps.find(
      ({ if: when }: { if?: string }) => when === 'failure()',
    );
    expect(JSON.parse(await readFile(join(failed.folder, kept.path), 'utf8'))).toHaveProperty('version');
  },
);

test.runIf(hasBash)('the recipe with several steps for GitHub runs', async () => {
  const { codes, output } = await job(runsOf(githubSteps));
  expect(output).toMatch(/the tests got 200\n/);
  expect(output).toMatch(/GET +\/v1\/partner\/cards/);
  expect(codes).toEqual([0, 0, 0, 0]);
});

test.runIf(hasBash)('the recipe with one command for GitLab runs', async () => {
  expect(await job(scriptOf(gitlab))).toMatchObject({ codes: [0], output: 'the tests got 200\n' });
  const failed = await job(scriptOf(gitlab), { TESTS_FAIL: 'yes' });
  expect(failed.codes).toEqual([3]);
  const [kept] = gitlab.test.artifacts.paths;
  expect(JSON.parse(await readFile(join(failed.folder, kept), 'utf8'))).toHaveProperty('version');
});

test.runIf(hasBash)('the recipe with several steps for GitLab runs', async () => {
  const { codes, output, folder } = await job(scriptOf(gitlabSteps));
  expect({ codes, output }).toMatchObject({
    codes: [0],
    output: expect.stringMatching(/the tests got 200\n/),
  });
  const [kept] = gitlabSteps.test.artifacts.paths;
  expect(await readFile(join(folder, kept), 'utf8')).toMatch(/^\{"type":"listening"/);
});
