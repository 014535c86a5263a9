import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonReport } from '../../../../src/tools/exam/exam.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';

export const PACKAGE = pathToFileURL(join(import.meta.dirname, '../../../../dist/index.js')).href;

/** The command that runs an app with its tests. Its variables say where it works and which bugs it has. */
export const appCommand = (app: string): string[] => [
  process.execPath,
  join(import.meta.dirname, `apps/${app}.mjs`),
];

/** The command that runs a program. */
export const program = (script: string): string[] => [process.execPath, '--input-type=module', '-e', script];

/** Runs an exam. Resolves with the exit code, the report, and the verdicts besides `survived` and `not-exercised`. */
export async function exam(
  flags: readonly string[],
  command: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const { code, stdout, stderr } = await runInProcess(
    ['exam', '--json', '--fixtures', 'empty', '--parallel', '4', ...flags, '--', ...command],
    { PACKAGE, GITHUB_STEP_SUMMARY: '', ...variables },
  );
  if (stdout === '') throw new Error(`exit ${code}: ${stderr}`);
  const report: JsonReport = JSON.parse(stdout);
  const found = report.results.filter(({ verdict }) => verdict !== 'survived' && verdict !== 'not-exercised');
  return { code, stderr, report, found: found.map(({ id, verdict }) => `${verdict} ${id}`) };
}

/** The verdicts of a report by the ids of the misbehaviours. */
export function verdictsOf({ results }: JsonReport): Record<string, string> {
  return Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
}
