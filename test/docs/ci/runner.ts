import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { vacant } from '../../cli/support/deserted.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { CLI_PROGRAM } from '../../support/cli-process.ts';

/** One step of a recipe. Steps that run always run after a failed one too. */
export interface Step {
  readonly lines: string;
  readonly always: boolean;
}

/** What differs between runners. */
export interface RunnerOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** The address of the sandbox in the background; a free one by default. */
  readonly url?: string;
  /** Flags that every start of a sandbox gets. */
  readonly flags?: string;
  /** Whether the job may not write to its folder. */
  readonly isReadOnly?: boolean;
}

const document = await readFile(join(import.meta.dirname, '../../../docs/continuous-integration.md'), 'utf8');

/** The YAML documents of the page. */
export const documents = [...document.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) =>
  parse(text),
);
export const [github, githubSteps] = documents.filter(each => each.jobs !== undefined);
export const [gitlab, gitlabSteps] = documents.filter(each => each.test !== undefined);

/** The `run` steps of a recipe for GitHub. */
export function stepsOf(recipe: { jobs: { test: { steps: { run?: string; if?: string }[] } } }): Step[] {
  return recipe.jobs.test.steps.flatMap(({ run, if: when }) =>
    run === undefined ? [] : [{ lines: run, always: when === 'always()' }],
  );
}

/** The script of a recipe for GitLab, which is one step. */
export function scriptOf(recipe: { test: { script: string[] } }): Step[] {
  return [{ lines: recipe.test.script.join('\n'), always: false }];
}

/** The tests of a project in a recipe: they call the sandbox and know only the environment variables. */
const TESTS = `const { SERVICE_BASE_URL, SERVICE_API_KEY } = process.env;
const response = await fetch(SERVICE_BASE_URL + '/partner/cards', { headers: { 'x-service-api-key': SERVICE_API_KEY } });
console.log('the tests got ' + response.status);
if (response.status !== 200 || process.env.TESTS_FAIL) process.exit(3);
`;

/** The user and group that own no file. */
const NOBODY = 65_534;

/**
 * Runs the steps of a recipe as a CI runner does, in a folder in which `npm` and `npx` are scripts that run this build.
 * Resolves to the folder, the exit codes of the steps that ran, and the output of all.
 */
export async function runJob(steps: readonly Step[], options: RunnerOptions = {}) {
  const { folder, run } = await createRunner(options);
  const outcomes: { code: number | null; output: string }[] = [];
  for (const { lines, always } of steps) {
    if (always || outcomes.every(({ code }) => code === 0)) outcomes.push(await run(lines));
  }
  return {
    folder,
    codes: outcomes.map(({ code }) => code),
    output: outcomes.map(({ output }) => output).join(''),
  };
}

async function createRunner({ variables = {}, url, flags = '', isReadOnly = false }: RunnerOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-ci-'));
  onTestFinished(async () => {
    await chmod(folder, 0o755);
    await rm(folder, { recursive: true, maxRetries: 5 });
  });
  const address = url ?? (await vacant());
  // A recipe that fails leaves its sandbox in the background.
  onTestFinished(async () => void (await runInProcess(['stop', '--url', address])));
  const githubEnv = join(folder, 'github.env');
  await writeFile(githubEnv, '');
  await chmod(githubEnv, 0o666);
  await writeFile(join(folder, 'tests.mjs'), TESTS);
  await writePrograms(folder, new URL(address).port, flags);
  if (isReadOnly) await chmod(folder, 0o555);

  const environment = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    CARD_SANDBOX_URL: address,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_ENV: githubEnv,
    ...variables,
  };
  // The superuser may write anywhere.
  const user = isReadOnly && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const run = async (lines: string) => {
    const pairs = (await readFile(githubEnv, 'utf8')).split('\n').filter(line => line !== '');
    const env = { ...environment, ...Object.fromEntries(pairs.map(line => line.split(/=(.*)/s, 2))) };
    const child = spawn('bash', ['-e', '-c', lines], {
      ...{ cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'], ...user },
    });
    onTestFinished(() => endGroup(child.pid ?? 0));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk));
    const code = await new Promise<number | null>(resolve => child.once('close', resolve));
    return { code, output };
  };
  return { folder, run };
}

/** Writes the programs of a runner. `npm ci` does nothing; sandboxes in the background get the port and the flags. */
async function writePrograms(folder: string, port: string, flags: string): Promise<void> {
  const program = async (name: string, text: string) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}`);
    await chmod(join(folder, name), 0o755);
  };
  const node = `"${process.execPath}"`;
  await program('npm', `case "$1" in ci) ;; test) exec ${node} "${folder}/tests.mjs" ;; *) exit 9 ;; esac\n`);
  await program(
    'npx',
    `[ "$1" = card-sandbox ] || exit 9; shift
     case "$1" in
       start) shift; set -- start --port ${port} ${flags} "$@" ;;
       exec) shift; set -- exec ${flags} "$@" ;;
     esac
     exec ${node} "${CLI_PROGRAM}" "$@"\n`,
  );
}

/** Kills the processes that a step has left running. */
function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // All processes have exited.
  }
}
