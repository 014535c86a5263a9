import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { vacant } from '../../cli/support/deserted.ts';
import { runInProcess } from '../../support/cli-in-process.ts';
import { CLI_PROGRAM } from '../../support/cli-process.ts';

/** One step of a recipe. */
export interface Step {
  readonly lines: string;
  /** Whether it runs after a failed step too. */
  readonly always: boolean;
  /** The variable without which it does not run. */
  readonly variable?: string | undefined;
}

/** What differs between runners. */
export interface RunnerOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** The default address of sandboxes on this machine; a free one by default. */
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
export const [gitlab] = documents.filter(each => each.test !== undefined);

/** The `run` steps of a recipe for GitHub. */
export function stepsOf(recipe: { jobs: { test: { steps: { run?: string; if?: string }[] } } }): Step[] {
  return recipe.jobs.test.steps.flatMap(({ run, if: when }) =>
    run === undefined
      ? []
      : [
          {
            lines: run,
            always: when?.startsWith('always()') ?? false,
            variable: /\benv\.(\w+) != ''/.exec(when ?? '')?.[1],
          },
        ],
  );
}

/** The script of a recipe for GitLab, and what runs after it in a shell of its own, which does not fail the job. */
export function scriptOf({ test }: { test: { script: string[]; after_script?: string[] } }): Step[] {
  const after = test.after_script ?? [];
  return [{ lines: test.script.join('\n'), always: false }, ...after.map(lines => ({ lines, always: true }))];
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
  for (const { lines, always, variable } of steps) {
    if (!always && outcomes.some(({ code }) => code !== 0)) continue;
    outcomes.push(await run(variable === undefined ? lines : `[ -n "$${variable}" ] || exit 0\n${lines}`));
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
  // A step that fails may leave a sandbox in the background.
  onTestFinished(async () => {
    const left = await backgroundUrl(folder);
    if (left !== null) await runInProcess(['stop', '--url', left]);
  });
  const githubEnv = join(folder, 'github.env');
  await writeFile(githubEnv, '');
  await chmod(githubEnv, 0o666);
  await writeFile(join(folder, 'tests.mjs'), TESTS);
  await writePrograms(folder, new URL(address).port, flags);
  if (isReadOnly) await chmod(folder, 0o555);

  const environment = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    CARD_SANDBOX_URL: undefined,
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
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    onTestFinished(() => endGroup(child.pid ?? 0));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk));
    const code = await new Promise<number | null>(resolve => child.once('close', resolve));
    return { code, output };
  };
  return { folder, run };
}

/** Returns the address of the sandbox that a job has started in the background, or null when it has started none. */
export async function backgroundUrl(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'sandbox.json'), 'utf8').catch(() => '');
  return text === '' ? null : JSON.parse(text).url;
}

/** Writes the programs of a runner. `npm ci` does nothing; sandboxes in the background get the default port and the flags. */
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
