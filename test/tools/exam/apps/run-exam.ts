import { spawn } from 'node:child_process';
import { CLI_PROGRAM } from '../../../support/cli-process.ts';

/** The sample app whose client the suite of the receivers uses. */
const SAMPLE_APP = new URL('../../../../examples/integrations/node', import.meta.url).href;

/** What `exam --json` prints. */
interface Report {
  readonly baseline: 'passed' | 'failed';
  readonly results: readonly { readonly id: string; readonly verdict: string; readonly detail: string }[];
}

/** Runs a command in a folder under a command of card-sandbox. Resolves with the exit code and the output. */
export function runTests(
  words: readonly string[],
  command: readonly string[],
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI_PROGRAM, ...words, '--', ...command], {
      cwd: folder,
      env: { ...process.env, SAMPLE_APP, ...variables },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', chunk => {
      stdout += chunk;
    });
    child.stderr.on('data', chunk => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout, stderr }));
  });
}

/**
 * Examines a command in a folder. `only` selects misbehaviours; without it all are tried. Resolves with the ids of the findings. An
 * app that needs webhooks in order can fail undisturbed by chance, and on a busy machine a webhook that is held back may be
 * overtaken by none, so that it is only late: `attempts` is how many times it is tried.
 */
export async function examine(
  command: readonly string[],
  folder: string,
  only: readonly string[] = [],
  attempts = 1,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ findings: readonly string[]; details: string }> {
  const words = ['exam', '--json', '--parallel', '2', ...(only.length === 0 ? [] : ['--only', ...only])];
  const { stdout, stderr } = await runTests(words, command, folder, variables);
  if (stdout === '') throw new Error(`the exam printed no report: ${stderr}`);
  const { baseline, results }: Report = JSON.parse(stdout);
  const isMissed = only.length > 0 && results.some(({ detail }) => detail.startsWith('not triggered'));
  if ((baseline === 'failed' || isMissed) && attempts > 1)
    return examine(command, folder, only, attempts - 1, variables);
  if (baseline === 'failed') throw new Error(`the undisturbed run failed: ${stderr}`);
  const found = results.filter(({ verdict }) => verdict !== 'survived' && verdict !== 'not-exercised');
  return {
    findings: found.map(({ id }) => id),
    details: found.map(({ id, detail }) => `${id}: ${detail}`).join('\n'),
  };
}
