import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { vacant } from '../cli/support/deserted.ts';
import { isInstalled } from '../cli/support/installed.ts';
import { runInProcess } from '../support/cli-in-process.ts';
import { CLI_PROGRAM } from '../support/cli-process.ts';

const document = await readFile(join(import.meta.dirname, '../../docs/continuous-integration.md'), 'utf8');
const recipes = [...document.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text));
const [github, githubSteps] = recipes.filter(each => each.jobs !== undefined);
const [gitlab, gitlabSteps] = recipes.filter(each => each.test !== undefined);

/** The tests of a project in a recipe: they call the sandbox and know only the environment variables. */
const TESTS = `const { SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
const response = await fetch(SERVICE_BASE_URL + '/partner/cards', { headers: { 'x-service-api-key': SERVICE_API_KEY } });
console.log('the tests got ' + response.status);
if (response.status !== 200 || process.env.TESTS_FAIL) process.exit(3);
`;

/** A CI runner: a folder in which `npm` and `npx` are replaced by scripts that run this build. */
async function createRunner(variables: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-ci-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 5 }));
  const program = async (name: string, text: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}`);
    await chmod(join(folder, name), 0o755);
  };
  const url = await vacant();
  // A recipe that fails leaves its sandbox in the background.
  onTestFinished(async () => void (await runInProcess(['stop', '--url', url])));
  const node = `"${process.execPath}"`;
  await writeFile(join(folder, 'tests.mjs'), TESTS);
  await program('npm', `case "$1" in ci) ;; test) exec ${node} "${folder}/tests.mjs" ;; *) exit 9 ;; esac\n`);
  // A free port instead of the default one, which a developer's sandbox may use.
  const port = new URL(url).port;
  await program(
    'npx',
    `[ "$1" = card-sandbox ] || exit 9; shift
     if [ "$1" = start ]; then shift; set -- start --port ${port} "$@"; fi
     exec ${node} "${CLI_PROGRAM}" "$@"\n`,
  );
  const environment: Record<string, string | undefined> = {
    ...process.env,
    ...variables,
    PATH: `${folder}:${process.env.PATH}`,
    CARD_SANDBOX_URL: url,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_ENV: join(folder, 'github.env'),
  };
  await writeFile(join(folder, 'github.env'), '');
  /** Runs lines as a step of a job. Processes that they leave running are killed when the test ends. */
  const step = async (lines: string) => {
    const githubEnv = await readFile(join(folder, 'github.env'), 'utf8');
    const pairs = githubEnv.split('\n').filter(line => line !== '');
    const env = { ...environment, ...Object.fromEntries(pairs.map(line => line.split(/=(.*)/s, 2))) };
    const child = spawn('bash', ['-e', '-c', lines], {
      ...{ cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    onTestFinished(() => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // All processes have exited.
      }
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk));
    const code = await new Promise<number | null>(resolve => child.once('close', resolve));
    return { code, output };
  };
  return { folder, step };
}

/** Runs all `run` steps of a recipe. */
async function runJob(lines: readonly string[], variables?: Record<string, string>) {
  const { folder, step } = await createRunner(variables);
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
const savedState = async (folder: string) => JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'));
const hasBash = isInstalled('bash', '-c', 'true');

test('there are two recipes for each CI service', () => {
  expect(recipes).toHaveLength(4);
  for (const each of [github, githubSteps, gitlab, gitlabSteps]) expect(each).toBeDefined();
});

test.runIf(hasBash)(
  'the GitHub recipe with one command runs, and keeps the state of failed tests',
  async () => {
    const passed = await runJob(runsOf(github));
    expect(passed).toMatchObject({ codes: [0, 0], output: 'the tests got 200\n' });
    const failed = await runJob(runsOf(github), { TESTS_FAIL: 'yes' });
    expect(failed.codes).toEqual([0, 3]);
    const { with: artifact } = github.jobs.test.steps.find(
      ({ if: when }: { if?: string }) => when === 'failure()',
    );
    expect(await savedState(join(failed.folder, artifact.path))).toHaveProperty('version');
  },
);

test.runIf(hasBash)('the GitHub recipe with several steps runs', async () => {
  const { codes, output } = await runJob(runsOf(githubSteps));
  expect(output).toMatch(/the tests got 200\n/);
  expect(output).toMatch(/GET +\/v1\/partner\/cards/);
  expect(codes).toEqual([0, 0, 0, 0, 0]);
});

test.runIf(hasBash)('the GitLab recipe with one command runs', async () => {
  expect(await runJob(scriptOf(gitlab))).toMatchObject({ codes: [0], output: 'the tests got 200\n' });
  const failed = await runJob(scriptOf(gitlab), { TESTS_FAIL: 'yes' });
  expect(failed.codes).toEqual([3]);
  const [artifact] = gitlab.test.artifacts.paths;
  expect(await savedState(join(failed.folder, artifact))).toHaveProperty('version');
});

test.runIf(hasBash)('the GitLab recipe with several steps runs', async () => {
  const { codes, output, folder } = await runJob(scriptOf(gitlabSteps));
  expect({ codes, output }).toMatchObject({
    codes: [0],
    output: expect.stringMatching(/the tests got 200\n/),
  });
  const [artifact] = gitlabSteps.test.artifacts.paths;
  expect(await readFile(join(folder, artifact), 'utf8')).toMatch(/^\{"type":"listening"/);
});
